import { errorCodes, type ErrorCode } from '#contract/errors.ts'
import { forgetLostAct, keyedAct, noteLostAct, type KeyedAct } from './act-keys.ts'
import { confirmationNeeded } from './confirmation.ts'
import { noteServiceTime } from '../time/clock.ts'
import { sessionEnded } from './session-end.ts'
import type { Method } from '#contract/operation.ts'
import { isRecord } from '#contract/is-record.ts'

/** `unreachable`: no answer arrived; `unreadable`: the answer is not the service's. */
export type FailureCode = ErrorCode | 'unreachable' | 'unreadable'

type FailureFacts = {
  code: FailureCode
  message: string
  status?: number
  detail?: string
  fields?: Record<string, string>
  retryAfterSeconds?: number
  mayBeDone?: boolean
}

/** The refusal of a call below /api/app, in the service's common error shape. */
export class ApiFailure extends Error {
  readonly code: FailureCode
  readonly status: number | undefined
  readonly detail: string | undefined
  readonly fields: Record<string, string>
  readonly retryAfterSeconds: number | undefined
  /** An act was sent and its answer is lost: it may have been done all the same. */
  readonly mayBeDone: boolean
  /** Sent again as it was, it is not done twice. */
  isKeyed = false

  constructor(facts: FailureFacts, cause?: unknown) {
    super(facts.message, { cause })
    this.name = 'ApiFailure'
    this.code = facts.code
    this.status = facts.status
    this.detail = facts.detail
    this.fields = facts.fields ?? {}
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.mayBeDone = facts.mayBeDone ?? false
  }
}

export function isFailure(error: unknown, code: FailureCode): error is ApiFailure {
  return error instanceof ApiFailure && error.code === code
}

type Call = { method?: Method; body?: unknown; signal?: AbortSignal }

/**
 * One call to the application's interface. Answers of our own server have the contract's type; 204 gives undefined. When the session has
 * ended, a reading call waits until the person has signed in again, and the page stays as it is.
 */
export async function request<T>(path: string, call: Call = {}): Promise<T> {
  const { method = 'GET', body } = call
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const act = keyedAct(method, path, sent)
  const { response, answer } = await exchange(path, { ...call, method, body: sent, act })
  if (response.status === 204) return undefined as T
  if (response.ok) return answer as T
  const failure = failureOf(response.status, response.headers.get('retry-after'), answer)
  if ((await askedToSignIn(failure, method)) === true) return request<T>(path, call)
  // Refused before anything was done: the same call can be repeated.
  if (failure.code === 'confirmation_required' && (await confirmationNeeded()) === true)
    return request<T>(path, call)
  throw failure
}

type Exchange = { method: Method; body: string | undefined; act: KeyedAct | undefined; signal?: AbortSignal }

/** Sends it, and reads the answer whole. */
async function exchange(path: string, sent: Exchange): Promise<{ response: Response; answer: unknown }> {
  const { method, act } = sent
  try {
    const response = await answerOf(path, initOf(sent))
    const answer = response.status === 204 ? undefined : await readJson(response, method !== 'GET')
    if (act !== undefined && response.ok) forgetLostAct(act)
    // what failed in the middle may have been done: the database can go between the act and its word for it
    if (act !== undefined && response.status >= 500) noteLostAct(act)
    return { response, answer }
  } catch (error) {
    if (act === undefined || !(error instanceof ApiFailure)) throw error
    if (error.mayBeDone) noteLostAct(act)
    error.isKeyed = true
    throw error
  }
}

function initOf({ method, body, act, signal }: Exchange): RequestInit {
  return {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(act === undefined ? {} : { 'idempotency-key': `"${act.key}"` }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  }
}

/** True if a reading call can be repeated; a writing one is left to the person, who sees what it was. */
async function askedToSignIn(failure: ApiFailure, method: string): Promise<boolean | undefined> {
  if (failure.code !== 'signed_out') return undefined
  const isBack = sessionEnded()
  return method === 'GET' ? isBack : undefined
}

/** The refusal of a request whose answer is not JSON; refusals always are. */
export async function refusalOf(response: Response): Promise<ApiFailure> {
  const failure = failureOf(response.status, response.headers.get('retry-after'), await readJson(response))
  if (failure.code === 'signed_out') void sessionEnded()
  return failure
}

export const unreachable = { code: 'unreachable', message: 'The service cannot be reached.' } as const

export async function answerOf(path: string, init: RequestInit): Promise<Response> {
  const askedMs = Date.now()
  try {
    const response = await fetch(path, init)
    noteServiceTime({ date: response.headers.get('date'), askedMs, cameMs: Date.now() })
    return response
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    // a browser that knows of no connection has sent nothing
    const isSent = (init.method ?? 'GET') !== 'GET' && navigator.onLine
    throw new ApiFailure({ ...unreachable, mayBeDone: isSent }, error)
  }
}

async function readJson(response: Response, isAct = false): Promise<unknown> {
  try {
    return await response.json()
  } catch (error) {
    throw new ApiFailure(
      {
        code: 'unreadable',
        status: response.status,
        mayBeDone: isAct && (response.ok || response.status >= 500),
        message: 'Something between the browser and the service, such as a proxy, answered instead of it.',
      },
      error,
    )
  }
}

/** The refusal in an answer; `answer` is its parsed body. */
export function failureOf(status: number, retryAfter: string | null, answer: unknown): ApiFailure {
  const body = isRecord(answer) ? answer : {}
  const code = body['error']
  if (!isErrorCode(code)) {
    return new ApiFailure({
      code: 'unreadable',
      status,
      message: 'The service returned an unexpected answer.',
    })
  }
  const retryAfterSeconds = Number(retryAfter)
  return new ApiFailure({
    code,
    status,
    message: typeof body['message'] === 'string' ? body['message'] : errorCodes[code].message,
    ...(typeof body['detail'] === 'string' ? { detail: body['detail'] } : {}),
    ...(isRecord(body['fields']) ? { fields: textsOf(body['fields']) } : {}),
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  })
}

function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCodes, value)
}

function textsOf(fields: Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, text] of Object.entries(fields)) if (typeof text === 'string') texts[name] = text
  return texts
}
