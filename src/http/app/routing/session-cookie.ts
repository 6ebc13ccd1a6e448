import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  readLogPosition,
  writeLogPosition,
  type LogPosition,
} from '../../../platform/postgres/replica/reads.ts'
import { sessionLifetimeMs } from '../../../people/sessions.ts'
import type { HttpDeps } from '../../deps.ts'

const plainName = 'sbom_monitor_session'
const plainSeenName = 'sbom_monitor_seen'
const plainCompanyName = 'sbom_monitor_company'

/** How long the browser may take at a company's issuer. */
const companySeconds = 600

/**
 * Over https the browser itself refuses a cookie of this name that another host or plain http has set (RFC 6265bis, 4.1.3.2); the
 * prefix asks for Secure, which plain http on loopback cannot have.
 */
export function cookieName({ baseUrl }: HttpDeps, name = plainName): string {
  return isSecure(baseUrl) ? `__Host-${name}` : name
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:')
}

/** The secret of the session that a request is sent with. */
export function sessionSecret(deps: HttpDeps, request: FastifyRequest): string | undefined {
  return request.cookies[cookieName(deps)]
}

export function setSessionCookie(
  deps: HttpDeps,
  reply: FastifyReply,
  session: { secret: string; expiresAt: Date },
): void {
  void reply.setCookie(cookieName(deps), session.secret, {
    ...cookieOptions(deps),
    expires: session.expiresAt,
  })
}

export function clearSessionCookie(deps: HttpDeps, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(deps), cookieOptions(deps))
}

/** What a browser keeps while it is sent to the issuer of a company and back. */
export function companySecret(deps: HttpDeps, request: FastifyRequest): string | undefined {
  return request.cookies[cookieName(deps, plainCompanyName)]
}

export function setCompanyCookie(deps: HttpDeps, reply: FastifyReply, secret: string): void {
  const options = { ...cookieOptions(deps), maxAge: companySeconds }
  void reply.setCookie(cookieName(deps, plainCompanyName), secret, options)
}

export function clearCompanyCookie(deps: HttpDeps, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(deps, plainCompanyName), cookieOptions(deps))
}

/** The log position of the database at the last act of this browser. */
export function seenPosition(deps: HttpDeps, request: FastifyRequest): LogPosition | null {
  return readLogPosition(request.cookies[cookieName(deps, plainSeenName)])
}

/** Set after an act. It outlives the browser's window, as the session does: a standby may be days behind. */
export function setSeenCookie(deps: HttpDeps, reply: FastifyReply, position: LogPosition): void {
  const options = { ...cookieOptions(deps), maxAge: sessionLifetimeMs / 1_000 }
  void reply.setCookie(cookieName(deps, plainSeenName), writeLogPosition(position), options)
}

export function cookieOptions({ baseUrl }: HttpDeps) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(baseUrl) } as const
}
