import { variable, type Environment } from './ports.ts'

type Attempt = { timeoutMs: number; who: string; url: string; env: Environment }

/** What a failed attempt is told as. `isFinal`: a retry would end the same way. */
type NetworkFailure = { message: string; isFinal: boolean }

/** What Node says of a certificate. An authority of one's own is the remedy for some of it. */
const certificateErrors = new Map<string, string>([
  ...[
    'CERT_UNTRUSTED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ].map((code) => [code, 'NODE_EXTRA_CA_CERTS names a file of further authorities'] as const),
  ['CERT_HAS_EXPIRED', 'it has expired, or the clock of this machine is wrong'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet, or the clock of this machine is wrong'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for another host name'],
  ['CERT_REVOKED', 'it has been revoked'],
])

/** Undici's words for a proxy that opens no tunnel; the status is nowhere else. */
const proxyAnswer = /^Proxy response \((\d{3})\)/

/** Too slow, or too many at once. */
const passingStatuses = new Set(['408', '429'])

/** In words what fetch threw without an answer. Throws what is no failure of the network: a defect. */
export function networkFailure(error: unknown, { timeoutMs, who, url, env }: Attempt): NetworkFailure {
  if (!(error instanceof Error)) throw error
  if (error.name === 'TimeoutError') {
    return { message: `no answer within ${Math.ceil(timeoutMs / 1000)} s`, isFinal: false }
  }
  const causes = causesOf(error)
  const cause = causes[1] ?? error
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  const hint = certificateErrors.get(code)
  if (hint !== undefined) {
    return { message: `the certificate of ${who} is not trusted: ${code}; ${hint}`, isFinal: true }
  }
  // fetch reports network failures as a TypeError
  if (!(error instanceof TypeError)) throw error
  const [status] = causes.flatMap(({ message }) => proxyAnswer.exec(message)?.[1] ?? [])
  if (status !== undefined) return proxyFailure(who, status)
  // fetch does not mention a proxy that requires authentication and answers itself
  const reason = code || cause.message || 'does a proxy on the way ask for a sign-in (407)?'
  return { message: `${who} cannot be reached: ${reason}${unusedProxy(url, env)}`, isFinal: false }
}

/** An error and what caused it, from the outside in. */
function causesOf(error: Error): Error[] {
  const causes = [error]
  for (let { cause } = error; cause instanceof Error && !causes.includes(cause); cause = cause.cause) {
    causes.push(cause)
  }
  return causes
}

function proxyFailure(who: string, status: string): NetworkFailure {
  const hint =
    status === '407' ? '; it wants a user name and password: HTTPS_PROXY=http://user:password@…' : ''
  const isFinal = status < '500' && !passingStatuses.has(status)
  return { message: `${who} cannot be reached: the proxy answered ${status}${hint}`, isFinal }
}

/** Node asks no proxy unless it is told to, and most other tools of a pipeline do. */
function unusedProxy(url: string, env: Environment): string {
  const isNamed = variable(env, 'HTTPS_PROXY') !== null || variable(env, 'https_proxy') !== null
  const isUsed =
    variable(env, 'NODE_USE_ENV_PROXY') !== null ||
    variable(env, 'NODE_OPTIONS')?.includes('--use-env-proxy') === true
  return isNamed && !isUsed && url.startsWith('https:')
    ? '; HTTPS_PROXY counts only with NODE_USE_ENV_PROXY=1 (Node 22.21 or 24.5 on)'
    : ''
}
