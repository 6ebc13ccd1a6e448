import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpDeps } from '../../deps.ts'

const plainName = 'sbom_monitor_session'

/**
 * Over https the browser itself refuses a cookie of this name that another host or plain http has set (RFC 6265bis, 4.1.3.2); the
 * prefix asks for Secure, which plain http on loopback cannot have.
 */
function cookieName({ baseUrl }: HttpDeps): string {
  return isSecure(baseUrl) ? `__Host-${plainName}` : plainName
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

function cookieOptions({ baseUrl }: HttpDeps) {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(baseUrl) } as const
}
