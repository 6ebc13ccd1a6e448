import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { SessionRow } from '../../contract/app.ts'
import {
  changePassword,
  listSessions,
  signOutEverywhere,
  type OwnAct,
} from '../../workspace/people/account.ts'
import { clientAddress } from '../client-address.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { signedInPerson } from './member.ts'
import { clearSessionCookie } from './session-cookie.ts'

const password = Type.String({ maxLength: 1000 })
const PasswordBody = Type.Object({ currentPassword: password, newPassword: password })

/** Codes: `signed_out`. */
async function ownAct(deps: HttpDeps, request: FastifyRequest): Promise<OwnAct> {
  const now = deps.now()
  const person = await signedInPerson(deps, request, now)
  return { person, address: clientAddress(request), requestId: request.id, now }
}

async function getSessions(deps: HttpDeps, request: FastifyRequest): Promise<{ sessions: SessionRow[] }> {
  const { person, now } = await ownAct(deps, request)
  return { sessions: await listSessions(deps.db, person, now) }
}

async function deleteSessions(
  deps: HttpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  await signOutEverywhere(deps.db, await ownAct(deps, request))
  clearSessionCookie(deps, reply)
  return reply.code(204).send()
}

/** Codes: `signed_out`, `invalid_request`, `rate_limited`. */
async function postPassword(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const act = await ownAct(deps, request)
  await changePassword(deps, { ...act, ...(request.body as Static<typeof PasswordBody>) })
  return reply.code(204).send()
}

/** What a person does with their own account, in whichever workspaces they are. */
export const accountOperations: readonly AppOperation[] = [
  read('/account/sessions', getSessions),
  write('DELETE', '/account/sessions', deleteSessions),
  write('POST', '/account/password', postPassword, PasswordBody),
]
