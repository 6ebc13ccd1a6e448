import { ServiceError, type ErrorCode } from '../contract/errors.ts'
import type { StoreCall } from '../originals/originals.ts'
import type { OriginalsSettings } from '../originals/configured.ts'
import type { StoreConnection } from '../platform/postgres/store-connection.ts'
import type { OwnedBytes } from './owned-bytes.ts'
import type { TaskKind } from './tasks.ts'

/** A file on its way through a parser child; `body` is all of the file, as it crosses the process border. */
export type TaskFile = { id: number; kind: TaskKind; upload: unknown; body: Uint8Array }

/** A file on this side of the border. */
export type OwnedFile = Omit<TaskFile, 'body'> & { body: OwnedBytes }

/** What a child works with. */
export type ParserStart = {
  connection: StoreConnection
  /** Lab seam of the product clock; null: none. */
  clockOffsetFile: string | null
  /** The object store; null: originals go into the database. */
  originals: OriginalsSettings | null
  /** The maximum number of sessions on the database. */
  sessions: number
}

/** What the HTTP process says to its parser child. */
export type ToChild =
  | ({ type: 'start' } & ParserStart)
  | ({ type: 'file' } & TaskFile)
  /** Nothing is left to do. */
  | { type: 'stop' }

/** What the child says. */
export type FromChild =
  | { type: 'ready' }
  | { type: 'begun'; id: number }
  | { type: 'answer'; id: number; answer: Answer }
  /** The object store has not done what it was asked. */
  | { type: 'object_store_failed'; call: StoreCall }
  /** What the last file took is given back as far as it can be. */
  | { type: 'free'; residentBytes: number }

export type Answer =
  | { kind: 'done'; value: unknown }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'defect'; defect: Defect }

type Refusal = {
  code: ErrorCode
  message: string
  detail: string | undefined
  fields: Record<string, string> | undefined
  retryAfterSeconds: number | undefined
}

/** An unexpected error; `code` is what the driver or the system gave it. */
type Defect = { message: string; stack: string | undefined; code: string | undefined }

/** An error as it crosses the process border. */
export function errorAnswer(error: unknown): Answer {
  if (error instanceof ServiceError) {
    const { code, message, detail, fields, retryAfterSeconds } = error
    return { kind: 'refused', refusal: { code, message, detail, fields, retryAfterSeconds } }
  }
  if (!(error instanceof Error)) {
    return { kind: 'defect', defect: { message: String(error), stack: undefined, code: undefined } }
  }
  const code = codeOf(error)
  return { kind: 'defect', defect: { message: error.message, stack: error.stack, code } }
}

/** The code may be on a cause: callers add context to errors. */
function codeOf(error: Error): string | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return code ?? (error.cause instanceof Error ? codeOf(error.cause) : undefined)
}

/** The same error on the other side. */
export function errorOf(answer: Exclude<Answer, { kind: 'done' }>): Error {
  if (answer.kind === 'refused') {
    const { code, message, detail, fields, retryAfterSeconds } = answer.refusal
    return new ServiceError(code, {
      message,
      ...(detail === undefined ? {} : { detail }),
      ...(fields === undefined ? {} : { fields }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    })
  }
  const { message, stack, code } = answer.defect
  const error = new Error(message)
  if (stack !== undefined) error.stack = stack
  return code === undefined ? error : Object.assign(error, { code })
}
