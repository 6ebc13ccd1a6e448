import type { FastifyError } from 'fastify'
import { errorCodes, ServiceError, type ErrorBody, type ErrorCode } from '../contract/errors.ts'
import { isStoreAway } from '../platform/postgres/store-away.ts'

/** An error as it is answered. `isDefect`: it was unexpected, so it is logged with its cause. */
export type ErrorAnswer = {
  status: number
  body: ErrorBody
  retryAfterSeconds: number | undefined
  isDefect: boolean
}

const storeAwaySeconds = 5

/**
 * Every error in the contract's shape: refusals as they are, the framework's in our codes, anything else as `internal`, with
 * `Retry-After` when the database is only away. Nothing of an unexpected error's text leaves the service.
 */
export function answerFor(error: unknown): ErrorAnswer {
  const refusal = error instanceof ServiceError ? error : refusalOf(error)
  if (refusal !== undefined) return toAnswer(refusal, false)
  const retry = isStoreAway(error) ? { retryAfterSeconds: storeAwaySeconds } : {}
  return toAnswer(new ServiceError('internal', retry), true)
}

function toAnswer(
  { code, message, detail, fields, retryAfterSeconds }: ServiceError,
  isDefect: boolean,
): ErrorAnswer {
  const body: ErrorBody = { error: code, message }
  if (detail !== undefined) body.detail = detail
  if (fields !== undefined) body.fields = fields
  return { status: errorCodes[code].status, body, retryAfterSeconds, isDefect }
}

/** Codes of the framework and of Node's HTTP parser that a client can cause. */
const foreignCodes = new Map<string, ErrorCode>([
  ['FST_ERR_BAD_URL', 'not_found'],
  ['FST_ERR_MAX_PARAM_LENGTH', 'not_found'],
  ['FST_ERR_NOT_FOUND', 'not_found'],
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'too_large'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'invalid_json'],
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'invalid_json'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'timeout'],
])

function refusalOf(error: unknown): ServiceError | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, statusCode, validation } = error as Partial<FastifyError>
  if (validation !== undefined) return new ServiceError('invalid_request', { fields: fieldsOf(validation) })
  const known = code === undefined ? undefined : foreignCodes.get(code)
  if (known !== undefined) return new ServiceError(known)
  if (code?.startsWith('HPE_') === true) return notHttp(error)
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new ServiceError('invalid_request', { message: 'The request cannot be read.', fields: {} })
  }
  return undefined
}

type ParseError = Error & { reason?: string; bytesParsed?: number }

/** The message of Node's parser: it names a rule of HTTP and quotes nothing of the request. */
function notHttp({ reason = 'broken syntax', bytesParsed }: ParseError): ServiceError {
  return new ServiceError('invalid_request', {
    message: 'The request is not valid HTTP.',
    detail: bytesParsed === undefined ? reason : `${reason}, after ${bytesParsed} bytes`,
    fields: {},
  })
}

/** One message per field, named by its path: `name`, `events/0`. */
function fieldsOf(validation: NonNullable<FastifyError['validation']>): Record<string, string> {
  const fields = new Map<string, string>()
  for (const { instancePath, params, message } of validation) {
    const missing = typeof params['missingProperty'] === 'string' ? [params['missingProperty']] : []
    const path = [...instancePath.split('/').slice(1), ...missing].join('/')
    const name = path === '' ? 'body' : path
    if (!fields.has(name))
      fields.set(name, missing.length > 0 ? 'This field is required.' : `It ${message ?? 'is invalid'}.`)
  }
  return Object.fromEntries(fields)
}
