import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { networkOf } from '../../platform/client-address.ts'
import { selectOperatorSession } from '../../workspace/operator/operator-session.ts'
import { takePlaceTurn } from '../../people/sign-in-window.ts'
import { refuseForeignOrigin } from '../app/routing/own-origin.ts'
import { cookieName, cookieOptions } from '../app/routing/session-cookie.ts'
import { noWorkspace } from '../bodies/arriving-bodies.ts'
import { noteCaller } from '../caller.ts'
import { clientAddress } from '../client-address.ts'
import type { HttpDeps } from '../deps.ts'
import { isText } from '../json-body.ts'
import { readBody } from '../read-body.ts'
import type { Operating, OperatorForm } from '../../operator/operating.ts'
import type { OperatorSettings } from '../../operator/operator-settings.ts'

const plainName = 'sbom_monitor_operator'
const secretForm = /^[\w-]{43}$/
const maxFormBytes = 16 * 1024

export function setOperatorCookie(
  deps: HttpDeps,
  reply: FastifyReply,
  { secret, expiresAt }: { secret: string; expiresAt: Date },
): void {
  const options = { ...cookieOptions(deps), sameSite: 'strict', expires: expiresAt } as const
  void reply.setCookie(cookieName(deps, plainName), secret, options)
}

export function clearOperatorCookie(deps: HttpDeps, reply: FastifyReply): void {
  void reply.clearCookie(cookieName(deps, plainName), { ...cookieOptions(deps), sameSite: 'strict' })
}

/** The format of a secret in links and cookies; anything else is not looked up. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && secretForm.test(text)
}

/**
 * Counts what may be a guess. Beyond the limit no link works from this address; an open session continues. Codes: `not_found`.
 */
export async function countGuess({ db, now }: HttpDeps, request: FastifyRequest): Promise<void> {
  const isCounted = await takePlaceTurn(db, 'operator', { address: clientAddress(request), now: now() })
  if (!isCounted) throw new ServiceError('not_found')
}

/** Without a session the answer is that of an unknown address. Codes: `not_found`. */
export async function operating(
  deps: HttpDeps,
  settings: OperatorSettings,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Operating> {
  const secret = request.cookies[cookieName(deps, plainName)]
  if (!isSecret(secret)) throw new ServiceError('not_found')
  const now = deps.now()
  const session = await selectOperatorSession(deps.db, secret, now)
  if (session === undefined) {
    await countGuess(deps, request)
    throw new ServiceError('not_found')
  }
  noteCaller(request, { operatorSessionId: session.id })
  const { slug = '' } = request.params as { slug?: string }
  const query = (name: string) => queryText(request, name)
  const formToken = formTokenOf(secret)
  return { deps, settings, requestId: request.id, slug, query, reply, session, formToken, now }
}

/** Known only to the pages of one session, and needs no encryption key (docs/decisions/0012-operator-pages.md). */
function formTokenOf(secret: string): string {
  return createHmac('sha256', secret).update('form of an operator').digest('base64url')
}

function queryText(request: FastifyRequest, name: string): string {
  const value = (request.query as Record<string, unknown>)[name]
  return typeof value === 'string' && isText(value) ? value.trim().slice(0, 200) : ''
}

/** The fields of a form that this session's own page sent. Codes: `forbidden`, `invalid_request`, `too_large`, `timeout`, `internal`. */
export async function readOperatorForm(
  deps: HttpDeps,
  request: FastifyRequest,
  formToken: string,
): Promise<OperatorForm> {
  refuseForeignOrigin(deps, request)
  const fields = await readFields(deps, request)
  const given = Buffer.from(fields.get('form') ?? '')
  const expected = Buffer.from(formToken)
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new ServiceError('forbidden', {
      message: 'The form is not one of this session. Go back, load the page again and try once more.',
    })
  return fields
}

/** As browsers send a form without files (https://url.spec.whatwg.org/#urlencoded-parsing); of a repeated name the first. */
async function readFields(deps: HttpDeps, request: FastifyRequest): Promise<Map<string, string>> {
  const owner = { workspaceId: noWorkspace, senderId: `operator ${networkOf(clientAddress(request))}` }
  using body = await readBody(request.raw, { maxBytes: maxFormBytes, bodies: deps.bodies, owner })
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(Buffer.from(body.bytes).toString('utf8')))
    if (!fields.has(name)) fields.set(name, value.trim())
  return fields
}
