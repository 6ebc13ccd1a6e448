import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Session, SetupState } from '../../contract/app.ts'
import { selectSession } from '../../workspace/people/people.ts'
import { endSession } from '../../workspace/people/sessions.ts'
import { completeSetup, isSetupOpen } from '../../workspace/people/setup.ts'
import { signIn } from '../../workspace/people/sign-in.ts'
import { clientAddress } from '../client-address.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { signedInPerson } from './member.ts'
import { clearSessionCookie, sessionSecret, setSessionCookie } from './session-cookie.ts'

const SignInBody = Type.Object({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1000 }),
})

const text = Type.String({ maxLength: 300 })
const SetupLinkBody = Type.Object({ secret: text })
const SetupBody = Type.Object({
  secret: text,
  name: text,
  email: text,
  password: Type.String({ maxLength: 1000 }),
  companyName: text,
  slug: text,
  securityContactEmail: text,
  timeZone: text,
})

async function getSession(deps: HttpDeps, request: FastifyRequest): Promise<Session> {
  const now = deps.now()
  const person = await signedInPerson(deps, request, now)
  return selectSession(deps.db, person.personId, now)
}

async function postSession(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<Session> {
  const now = deps.now()
  const session = await signIn(deps, {
    ...(request.body as Static<typeof SignInBody>),
    address: clientAddress(request),
    requestId: request.id,
    replacedSecret: sessionSecret(deps, request),
    now,
  })
  setSessionCookie(deps, reply, session)
  return selectSession(deps.db, session.personId, now)
}

async function deleteSession(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  await signedInPerson(deps, request, deps.now())
  await endSession(deps.db, sessionSecret(deps, request) ?? '')
  clearSessionCookie(deps, reply)
  return reply.code(204).send()
}

async function postSetupState(deps: HttpDeps, request: FastifyRequest): Promise<SetupState> {
  const { secret } = request.body as Static<typeof SetupLinkBody>
  return { open: await isSetupOpen(deps.db, secret) }
}

async function postSetup(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<Session> {
  const now = deps.now()
  const { secret, ...setup } = request.body as Static<typeof SetupBody>
  const session = await completeSetup(deps, {
    secret,
    setup,
    address: clientAddress(request),
    replacedSecret: sessionSecret(deps, request),
    now,
  })
  setSessionCookie(deps, reply, session)
  return selectSession(deps.db, session.personId, now)
}

/** First run, sign-in and sign-out. */
export const sessionOperations: readonly AppOperation[] = [
  read('/session', getSession),
  { ...write('POST', '/session', postSession, SignInBody), credential: 'none' },
  write('DELETE', '/session', deleteSession),
  { ...write('POST', '/setup/state', postSetupState, SetupLinkBody), credential: 'none' },
  { ...write('POST', '/setup', postSetup, SetupBody), credential: 'none' },
]
