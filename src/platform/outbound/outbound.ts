import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Client, Dispatcher } from 'undici'
import { checkedAddresses, guardedConnector } from './connect.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import type { DialMap } from './dial-map.ts'
import { OutboundError } from './outbound-error.ts'
import { purposes, type AllowedOrigins, type Limits, type Purpose } from './purposes.ts'
import {
  createResolver,
  createTextResolver,
  resolveAsSystem,
  type ResolveHost,
  type ResolveText,
} from './resolve.ts'
import { TlsSessions } from './tls-sessions.ts'

export type OutboundOptions = {
  /** `host:port` of the resolver for every name (a lab seam); null: the system's servers. */
  dnsServer: string | null
  /** Asked instead of DNS, where there is no network. */
  resolve?: ResolveHost
  resolveText?: ResolveText
  dialMap: DialMap | null
  /** Origins that an operator names as internal: private addresses are allowed, and plain http where the origin says so. */
  allowedOrigins: AllowedOrigins
}

export type Question = {
  url: string
  purpose: Purpose
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: Uint8Array
  /** Lower than the purpose's own limit. */
  maxBytes?: number
  /** The operator typed this address at the command line: loopback and plain http are allowed. Never set from data. */
  operatorsOwn?: boolean
  /** Set by a tenant, or named by a tenant's server: of the allowed origins, only this one may be asked. */
  ownOrigin?: string
  /** Awaited between the connection and the first byte of the request; when it fails, nothing is sent and `ask` fails with the same error. */
  beforeSending?: () => Promise<void>
}

export type Download = Question & {
  purpose: 'feed'
  toFile: string
  /** Called with how much has arrived, and the total where it was announced. */
  onBytes?: (sizeBytes: number, totalBytes: number | null) => void
}

export type Answer = { status: number; headers: ReadonlyMap<string, string>; url: string }

/** The only way out: every request of the product to another host goes through here. */
export type Outbound = {
  /** A small answer, whole in memory. Throws `OutboundError`. */
  ask: (question: Question) => Promise<Answer & { body: Buffer }>
  /** The body of a 200 written to a file; of any other status nothing is written. Throws `OutboundError`. */
  download: (download: Download) => Promise<Answer & { sizeBytes: number }>
  /** Whether `ask` would go there, without going: for a page that a browser is sent to. Throws `OutboundError`. */
  check: (question: Pick<Question, 'url' | 'purpose' | 'ownOrigin'>) => Promise<void>
  /** TXT records of a name. Throws `OutboundError`. */
  resolveText: ResolveText
}

const redirectStatuses = new Set([301, 302, 303, 307, 308])
const maxHeaderBytes = 16_384
/** Of the handshake and everything before an answer: more than any peer says there within five seconds, unless it floods. */
const maxBytesBefore = 64 * maxHeaderBytes
/** Written byte by byte, a body takes six times its size. */
const maxBytesForOne = 8

/**
 * Builds the outbound client. Guarded by a connector of its own: no proxy variables, no inflating of answers, redirects only
 * where the purpose allows them and each checked like the first address, one deadline over all phases.
 */
export function createOutbound(options: OutboundOptions): Outbound {
  const settings: Settings = {
    ...options,
    secureContext: once(() => createSecureContext()),
    sessions: new TlsSessions(),
  }
  return {
    ask: (question) => ask(settings, question),
    check: (question) => check(settings, question),
    resolveText: options.resolveText ?? createTextResolver(options.dnsServer),
    download: (download) =>
      follow(settings, download, (response, limits, deadline) =>
        response.statusCode === 200
          ? writeBody(response, { download, maxBytes: limits.maxBytes, deadline })
          : discardBody(response),
      ),
  }
}

type Settings = OutboundOptions & { secureContext: () => SecureContext; sessions: TlsSessions }

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

type Response = Dispatcher.ResponseData
type Take<T> = (response: Response, limits: Limits, deadline: Deadline) => Promise<T>

async function follow<T>(options: Settings, question: Question, take: Take<T>): Promise<Answer & T> {
  const limits: Limits = { ...purposes[question.purpose] }
  if (question.maxBytes !== undefined) limits.maxBytes = Math.min(limits.maxBytes, question.maxBytes)
  const deadline = startDeadline(limits.totalMs, limits.stallMs, limits.minBytes)
  try {
    let url = readUrl(question.url)
    for (let redirects = 0; ; redirects++) {
      const outcome = await step(options, { question, url, limits, deadline, take })
      if (outcome.kind === 'answer') return outcome.answer
      if (redirects >= limits.redirects) throw new OutboundError('redirect_refused')
      url = outcome.to
    }
  } finally {
    deadline.stop()
  }
}

async function check(
  options: Settings,
  question: Pick<Question, 'url' | 'purpose' | 'ownOrigin'>,
): Promise<void> {
  const limits = purposes[question.purpose]
  const deadline = startDeadline(limits.totalMs, limits.stallMs)
  try {
    const url = readUrl(question.url)
    const trusted = judgeUrl(options, { question, url, limits })
    await deadline.race(
      checkedAddresses({ resolve: resolverFor(options, trusted), trusted, deadline }, url.hostname),
    )
  } finally {
    deadline.stop()
  }
}

type Step<T> = { question: Question; url: URL; limits: Limits; deadline: Deadline; take: Take<T> }
type Outcome<T> = { kind: 'answer'; answer: Answer & T } | { kind: 'redirect'; to: URL }

async function step<T>(options: Settings, asked: Step<T>): Promise<Outcome<T>> {
  const { url, limits, deadline } = asked
  const trusted = judgeUrl(options, asked)
  let maxReceivedBytes = maxBytesBefore
  const connect = guardedConnector({
    resolve: resolverFor(options, trusted),
    dialMap: options.dialMap,
    trusted,
    secureContext: options.secureContext(),
    sessions: options.sessions,
    deadline,
    maxReceivedBytes: () => maxReceivedBytes,
    ...(asked.question.beforeSending === undefined ? {} : { onConnected: asked.question.beforeSending }),
  })
  // a process that never asks another host does not load its hundred modules
  const { Client } = await import('undici')
  // the deadline is ours alone: undici's own timers would bound single phases only
  const dispatcher = new Client(url.origin, {
    connect,
    allowH2: false,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const onAnswer = () => void (maxReceivedBytes += maxBytesForOne * limits.maxBytes)
    return await deadline.race(exchange(dispatcher, asked, onAnswer))
  } catch (error) {
    throw error instanceof OutboundError || isOwnDisk(error)
      ? error
      : new OutboundError('broken_answer', error)
  } finally {
    void dispatcher.destroy()
    if (limits.stallMs !== null) deadline.progress()
  }
}

const diskErrors = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'ENOENT'])

/** A download that cannot be written is not the host's fault. */
function isOwnDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && diskErrors.has(String(error.code))
}

async function exchange<T>(dispatcher: Client, asked: Step<T>, onAnswer: () => void): Promise<Outcome<T>> {
  const { question, url, limits, deadline } = asked
  const response = await dispatcher.request({
    path: url.pathname + url.search,
    method: question.method ?? 'GET',
    headers: { 'user-agent': 'sbom-monitor', 'accept-encoding': 'identity', ...question.headers },
    body: question.body ?? null,
    signal: deadline.signal,
  })
  deadline.progress()
  onAnswer()
  const headers = headerMap(response)
  const location = headers.get('location')
  if (limits.redirects > 0 && redirectStatuses.has(response.statusCode) && location !== undefined) {
    await discardBody(response)
    return { kind: 'redirect', to: readUrl(location, url) }
  }
  if (limits.overflow === 'refuse' && Number(headers.get('content-length') ?? 0) > limits.maxBytes) {
    throw new OutboundError('too_large')
  }
  const body = await asked.take(response, limits, deadline)
  return { kind: 'answer', answer: { status: response.statusCode, headers, url: url.href, ...body } }
}

type Judged = Pick<Step<unknown>, 'question' | 'url' | 'limits'>

/** Whether the operator vouches for it. Plain http is for such an address alone. */
function judgeUrl(options: OutboundOptions, asked: Judged): boolean {
  const trusted = isTrusted(options, asked)
  if (asked.url.protocol !== 'https:' && !(trusted && asked.url.protocol === 'http:'))
    throw new OutboundError('url_refused')
  return trusted
}

/** Only the operator's settings lift the guard: after a redirect they apply to the origin that the operator named, and no other. */
function isTrusted(options: OutboundOptions, asked: Judged): boolean {
  const { internalUse } = asked.limits
  const { origin } = asked.url
  const isOwn = asked.question.ownOrigin === undefined || asked.question.ownOrigin === origin
  if (internalUse !== null && isOwn && options.allowedOrigins[internalUse]?.includes(origin) === true)
    return true
  return asked.question.operatorsOwn === true && asked.url.hostname === readUrl(asked.question.url).hostname
}

function resolverFor(options: OutboundOptions, trusted: boolean): ResolveHost {
  if (options.resolve !== undefined) return options.resolve
  return trusted && options.dnsServer === null ? resolveAsSystem : createResolver(options.dnsServer)
}

function readUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (url === null || url.username !== '' || url.password !== '') throw new OutboundError('url_refused')
  return url
}

function headerMap(response: Response): Map<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value)
  }
  return headers
}

async function ask(settings: Settings, question: Question): Promise<Answer & { body: Buffer }> {
  let status: number | undefined
  let chunks: Buffer[] = []
  const keep: Take<{ body: Buffer }> = async (response, limits, deadline) => {
    status = response.statusCode
    chunks = []
    for await (const chunk of boundedBody(response, limits, deadline)) chunks.push(chunk)
    return { body: Buffer.concat(chunks).subarray(0, limits.maxBytes) }
  }
  try {
    return await follow(settings, question, keep)
  } catch (error) {
    if (status === undefined || !(error instanceof OutboundError)) throw error
    throw new OutboundError(error.code, error.cause, { status, body: Buffer.concat(chunks) })
  }
}

async function* boundedBody(
  response: Response,
  limits: Limits,
  deadline: Deadline,
): AsyncGenerator<Buffer, void> {
  let size = 0
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      deadline.progress(chunk.length)
      size += chunk.length
      if (size > limits.maxBytes && limits.overflow === 'refuse') throw new OutboundError('too_large')
      yield chunk
      if (size >= limits.maxBytes) return
    }
  } catch (error) {
    const isCut = limits.overflow === 'cut' && error instanceof OutboundError && error.code === 'too_large'
    if (!isCut) throw error
  }
}

type Writing = { download: Download; maxBytes: number; deadline: Deadline }

async function writeBody(
  response: Response,
  { download, maxBytes, deadline }: Writing,
): Promise<{ sizeBytes: number }> {
  const announced = Number(response.headers['content-length'])
  const totalBytes = Number.isInteger(announced) ? announced : null
  let sizeBytes = 0
  async function* counted(body: AsyncIterable<Buffer>) {
    for await (const chunk of body) {
      deadline.progress(chunk.length)
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw new OutboundError('too_large')
      download.onBytes?.(sizeBytes, totalBytes)
      yield chunk
    }
  }
  const file = createWriteStream(download.toFile, { mode: 0o600 })
  await pipeline(response.body, counted, file, { signal: deadline.signal })
  return { sizeBytes }
}

function discardBody(response: Response): Promise<{ sizeBytes: number }> {
  response.body.on('error', () => undefined).destroy()
  return Promise.resolve({ sizeBytes: 0 })
}
