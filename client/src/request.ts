import { readRefusal } from './answers.ts'
import { exitCodes, Failure, OutOfTime, type ExitCode } from './failure.ts'
import { networkFailure } from './network-failure.ts'
import type { Environment, Ports } from './ports.ts'

/** One request to the service, with a token, or to Dependency-Track with its key. */
export type Asked = ({ token: string } | { trackerKey: string; maxAnswerBytes: number }) & {
  method: 'GET' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: Uint8Array
  /** For one attempt. */
  timeoutMs: number
}

/** How long a request may be retried, and whom to tell. */
export type Patience = {
  /** On the clock of `ports.nowMs`. */
  deadlineMs: number
  onRetry: (text: string) => void
}

/** A body, and the time of the answer by the server's clock; null: unknown. */
export type Answered = { body: unknown; at: string | null }

type Outcome =
  | ({ kind: 'answered' } & Answered)
  | { kind: 'refused'; failure: Failure }
  | { kind: 'passing'; failure: Failure; retryAfterMs: number | null }

const maxAttempts = 6
const longestBackoffMs = 30_000
/** Most answers have a few hundred bytes, lists of findings some hundred thousand. */
const maxAnswerBytes = 1024 * 1024

/**
 * The body of a successful answer. Network errors, 408, 429 and 5xx are retried with growing pauses, or those of `Retry-After`, until the
 * deadline: repeating is safe, because the service ignores duplicates. Everything else fails at once.
 */
export async function request(ports: Ports, asked: Asked, patience: Patience): Promise<unknown> {
  return (await requestDated(ports, asked, patience)).body
}

/** The same with the time of the answer. */
export async function requestDated(ports: Ports, asked: Asked, patience: Patience): Promise<Answered> {
  for (let attempt = 1; ; attempt += 1) {
    const leftMs = patience.deadlineMs - ports.nowMs()
    if (leftMs <= 0) throw new OutOfTime(exitCodes.unreachable, '--timeout is over')
    const outcome = await ask(asked, ports.env, Math.max(1, Math.ceil(Math.min(asked.timeoutMs, leftMs))))
    if (outcome.kind === 'answered') return outcome
    if (outcome.kind === 'refused' || attempt === maxAttempts) throw outcome.failure
    const pauseMs = outcome.retryAfterMs ?? backoffMs(attempt, ports.random())
    const seconds = Math.ceil(pauseMs / 1000)
    if (ports.nowMs() + pauseMs >= patience.deadlineMs) {
      throw new Failure(
        outcome.failure.exitCode,
        `${outcome.failure.message} (the next attempt would be in ${seconds} s, after --timeout)`,
        outcome.failure.refusal,
      )
    }
    patience.onRetry(`${outcome.failure.message}; trying again in ${seconds} s`)
    await ports.sleep(pauseMs)
  }
}

/** 1, 2, 4 … seconds, with up to a quarter of jitter, so that many pipelines do not retry together. */
function backoffMs(attempt: number, chance: number): number {
  return Math.min(longestBackoffMs, 1000 * 2 ** (attempt - 1)) * (1 + chance / 4)
}

async function ask(asked: Asked, env: Environment, timeoutMs: number): Promise<Outcome> {
  const { method, url, headers = {}, body } = asked
  const credential =
    'token' in asked ? { authorization: `Bearer ${asked.token}` } : { 'x-api-key': asked.trackerKey }
  const isTracker = 'trackerKey' in asked
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, accept: 'application/json', ...credential },
      // a credential must not follow a redirect, and a redirected POST becomes a GET
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body === undefined ? {} : { body }),
    })
    return await judge(response, asked)
  } catch (error) {
    const who = isTracker ? 'Dependency-Track' : 'the service'
    const { message, isFinal } = networkFailure(error, { timeoutMs, who, url, env })
    const failure = new Failure(exitCodes.unreachable, message)
    return isFinal ? { kind: 'refused', failure } : { kind: 'passing', failure, retryAfterMs: null }
  }
}

async function judge(response: Response, asked: Asked): Promise<Outcome> {
  const { status } = response
  const isTracker = 'trackerKey' in asked
  const maxBytes = isTracker ? asked.maxAnswerBytes : maxAnswerBytes
  const text = await readText(response, maxBytes)
  const body = parseJson(text ?? '')
  if (response.ok)
    return text === null && isTracker
      ? tooLarge(maxBytes)
      : { kind: 'answered', body, at: response.headers.get('date') }
  if (status >= 300 && status < 400)
    return {
      kind: 'refused',
      failure: movedFailure(response, isTracker ? 'Dependency-Track' : 'the service'),
    }
  const refused = (exitCode: ExitCode) =>
    isTracker ? trackerFailure(exitCode, status) : refusalFailure(exitCode, { status, body, asked })
  if (status === 429) return passing(response, refused(exitCodes.refused))
  if (status === 408 || status >= 500) return passing(response, refused(exitCodes.unreachable))
  return { kind: 'refused', failure: refused(exitCodes.refused) }
}

function tooLarge(maxBytes: number): Outcome {
  const message = `Dependency-Track answered with more than ${Math.round(maxBytes / 1024 / 1024)} MB`
  return { kind: 'refused', failure: new Failure(exitCodes.refused, message) }
}

function movedFailure({ headers }: Response, who: string): Failure {
  const place = headers.get('location') ?? 'which it does not name'
  return new Failure(exitCodes.refused, `${who} is at another address: ${place}`)
}

const trackerHints = new Map([
  [401, 'is DEPENDENCY_TRACK_KEY a key of this Dependency-Track?'],
  [403, 'the team of DEPENDENCY_TRACK_KEY needs VIEW_PORTFOLIO, and access to the project'],
  [404, 'there is no such project, or DEPENDENCY_TRACK_URL is not the address of its API server'],
])

function trackerFailure(exitCode: ExitCode, status: number): Failure {
  const hint = trackerHints.get(status)
  return new Failure(exitCode, `Dependency-Track answered ${status}${hint === undefined ? '' : `: ${hint}`}`)
}

function passing(response: Response, failure: Failure): Outcome {
  return { kind: 'passing', failure, retryAfterMs: retryAfterMs(response) }
}

/** The words of the service; something between here and it may answer as well, in words of its own. */
function refusalFailure(
  exitCode: ExitCode,
  { status, body, asked }: { status: number; body: unknown; asked: Asked },
): Failure {
  const refusal = readRefusal(status, body)
  if (refusal === null) return new Failure(exitCode, `answered ${status}, not by SBOM Monitor`)
  const { code, message, detail } = refusal
  // files go to addresses that every service has: the one given is not where it is
  const hint =
    code === 'not_found' && asked.method === 'POST'
      ? 'Is SBOM_MONITOR_URL (or --server) the address of the service?'
      : null
  const words = [message, detail, hint].filter((part) => part !== null).join(' ')
  return new Failure(exitCode, `${status} ${code}: ${words}`, refusal)
}

function retryAfterMs(response: Response): number | null {
  const text = response.headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Math.max(1, Number(text)) * 1000 : null
}

/** null when it is larger. */
async function readText(response: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  const body: AsyncIterable<Uint8Array> | null = response.body
  if (body === null) return ''
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
