/** Where bytes are kept under keys, beside the database: what the S3 API has. Every call ends within a bounded time. */
export type ObjectStore = {
  put: (key: string, bytes: Buffer, sha256: Buffer) => Promise<void>
  /** Null: there is none. `maxBytes` bounds what is read; what is longer is damaged. */
  get: (key: string, maxBytes: number) => Promise<Buffer | null>
  /** Whether there is one. */
  has: (key: string) => Promise<boolean>
  /** Also where there is none. */
  remove: (key: string) => Promise<void>
  /** Every key that begins so, some at a time, in the order of the store. */
  list: (prefix: string) => AsyncGenerator<StoredKey[]>
  /** Whether the bucket keeps what is overwritten or removed: then nothing is erased. Null: it does not say. */
  keepsVersions: () => Promise<boolean | null>
  close: () => Promise<void>
}

export type StoredKey = { key: string; sizeBytes: number; writtenAt: Date }

/** `away`: it cannot be reached, or cannot answer now; `refused`: it answers, and will not. */
export class ObjectStoreError extends Error {
  readonly reason: 'away' | 'refused'

  constructor(reason: 'away' | 'refused', message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ObjectStoreError'
    this.reason = reason
  }
}
