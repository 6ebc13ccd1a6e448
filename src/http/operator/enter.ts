import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../contract/errors.ts'
import { html } from '../../html/html.ts'
import {
  endOperatorSession,
  isOperatorLinkOpen,
  openOperatorSession,
  pageOperator,
} from '../../workspace/operator/operator-session.ts'
import { refuseForeignOrigin } from '../app/routing/own-origin.ts'
import { originOf } from '../client-address.ts'
import type { HttpDeps } from '../deps.ts'
import { clearOperatorCookie, countGuess, isSecret, setOperatorCookie } from './guard.ts'
import type { Operating } from '../../operator/operating.ts'
import { sendEnterPage } from '../../operator/page-frame.ts'

/** Codes: `not_found` (link unknown, used or expired; too many tries). */
async function linkOf(deps: HttpDeps, request: FastifyRequest): Promise<string> {
  const { secret } = request.params as { secret?: string }
  if (!isSecret(secret)) throw new ServiceError('not_found')
  await countGuess(deps, request)
  return secret
}

/** The page of a link. Only its button uses up the link, so that programs which open links in messages do not. */
export async function showEnter(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const secret = await linkOf(deps, request)
  if (!(await isOperatorLinkOpen(deps.db, secret, deps.now()))) throw new ServiceError('not_found')
  const body = html`<h1>Sign in as operator</h1>
    <p>
      The link works once. The session lasts 8 hours, in this browser only, and shows nothing that workspaces
      have stored.
    </p>
    <form method="post" action="/operator/enter/${secret}" class="act">
      <button>Sign in as operator</button>
    </form>`
  return sendEnterPage(reply, deps.serviceName, body)
}

export async function enter(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const link = await linkOf(deps, request)
  refuseForeignOrigin(deps, request)
  const opened = await openOperatorSession(deps.db, { link, ...originOf(request), now: deps.now() })
  if (opened === undefined) throw new ServiceError('not_found')
  setOperatorCookie(deps, reply, opened)
  return reply.header('cache-control', 'no-store').redirect('/operator', 303)
}

/** The answer is what strangers see: there is nothing more to show. */
export async function signOut(
  deps: HttpDeps,
  { requestId, reply, session, now }: Operating,
): Promise<FastifyReply> {
  const actor = pageOperator(requestId)
  await endOperatorSession(deps.db, { sessionId: session.id, actor, now })
  clearOperatorCookie(deps, reply)
  return reply.header('cache-control', 'no-store').redirect('/', 303)
}
