import type { IncomingMessage } from 'node:http'
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

/** RFC 9112, 3.2: more than one are refused, and HTTP/1.1 without one. */
export function countHosts({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let hosts = 0
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const name = rawHeaders[place]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}
