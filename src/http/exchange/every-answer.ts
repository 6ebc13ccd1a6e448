import type { IncomingMessage } from 'node:http'
import { cleanText } from '../../formats/json/clean.ts'
import type { Caller } from '../caller.ts'
import type { HttpDeps } from '../deps.ts'
import { loggedPath } from '../request-log.ts'

/** RFC 6797, 7.2: never over plain http; behind a proxy that ends TLS, X-Forwarded-Proto says so. */
const overHttps = { 'strict-transport-security': 'max-age=31536000' }

/** The headers of every answer. */
export function commonHeaders(requestId: string, isHttps: boolean): Record<string, string> {
  const headers = { 'x-request-id': requestId, 'x-content-type-options': 'nosniff' }
  return isHttps ? { ...headers, ...overHttps } : headers
}

export type GivenAnswer = {
  raw: IncomingMessage
  id: string
  route: string
  status: number
  elapsedMs: number
  caller?: Caller | undefined
}

/** Counts and logs a request that is over. */
export function recordAnswer({ metrics, log }: Pick<HttpDeps, 'metrics' | 'log'>, answer: GivenAnswer): void {
  const { raw, id, route, status, elapsedMs, caller } = answer
  const { method = '' } = raw
  metrics.requests.observe({ method, route, status: String(status) }, elapsedMs / 1000)
  if (!log.isLevelEnabled('info')) return
  const ms = Math.round(elapsedMs)
  log.info({ reqId: id, method, path: loggedPath(answer), status, ms, ...caller }, 'request')
}

/** Transfer codings other than plain `chunked`: Node removes that one and would pass on the rest as the body (RFC 9112, 6.1). */
export function unknownCoding({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const coding = headers['transfer-encoding']
  return coding?.trim().toLowerCase() === 'chunked' ? undefined : coding
}

/** A name or an IPv4 address, or an IPv6 address in brackets, and perhaps a port (RFC 3986, 3.2.2). It may be empty. */
const hostAndPort = /^(?:[\w.~!$&'()*+;=%-]*|\[[\da-f:.]+(?:%25[\w.~-]+)?\])(?::\d*)?$/i

/** What is wrong with the Host header (RFC 9112, 3.2): there are several, it names no host, or HTTP/1.1 comes without one. */
export function hostProblem(
  request: Pick<IncomingMessage, 'rawHeaders' | 'httpVersion'>,
): string | undefined {
  const hosts = hostsOf(request)
  const [host] = hosts
  if (hosts.length > 1) return `expected one Host header, found ${hosts.length}`
  if (host === undefined) {
    return request.httpVersion === '1.1' ? 'expected one Host header, found none' : undefined
  }
  return hostAndPort.test(host)
    ? undefined
    : `expected a host in the Host header, found "${cleanText(host, 80)}"`
}

function hostsOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string[] {
  const hosts: string[] = []
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[place + 1] ?? '')
  }
  return hosts
}
