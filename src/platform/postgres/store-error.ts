/** Why no store could be opened; every message says what the operator can do about it. */
export type StoreErrorCode =
  /** The server's account cannot enter a directory on the way to its files. */
  | 'directory_closed'
  /** The data folder cannot be used: not writable, another owner, or something else lies there. */
  | 'directory_unusable'
  /** Started by root and no unprivileged account was found, or the configured one does not fit. */
  | 'account_unusable'
  /** No PostgreSQL for this platform, or it does not run here. */
  | 'binaries_unusable'
  /** The data were written by another major version, or an external server is too old. */
  | 'version_mismatch'
  /** Another server, out of reach of this process, answers for the same data. */
  | 'foreign_server'
  /** The server was started and did not become ready. */
  | 'not_ready'
  /** The role lacks a right that the act needs. */
  | 'not_allowed'
  /** A pooler is not what the variables say of it. */
  | 'pooler_misplaced'
  /** The server had no session free for too long. */
  | 'no_room'

/** A store that cannot be opened for a reason outside the program. */
export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
    this.code = code
  }
}

/** The `code` of a system or SQL error, or null. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/**
 * Whether PostgreSQL cancelled a transaction in favour of another one (40001 serialization failure, 40P01 deadlock): it has changed nothing.
 * The code may be on a cause, because callers add context to errors.
 */
export function isGivenUp(error: unknown): boolean {
  let at: unknown = error
  for (let depth = 0; depth < 5 && at !== undefined; depth += 1) {
    const code = errorCode(at)
    if (code === '40001' || code === '40P01') return true
    at = at instanceof Error ? at.cause : undefined
  }
  return false
}

/** Whether a row was refused as a duplicate, by the name of the unique index. */
export function isTaken(error: unknown, index: string): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === index
}
