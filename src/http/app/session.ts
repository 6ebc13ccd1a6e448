import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Session, SetupState } from '../../contract/app.ts'
import { selectSession } from '../../workspace/people/people.ts'
import { closeSession } from '../../workspace/people/sessions.ts'
import { completeSetup, isSetupOpen } from '../../workspace/people/setup.ts'
import { signIn } from '../../workspace/people/sign-in.ts'
import type { HttpDeps } from '../deps.ts'
import { read, write, type AppOperation } from './app-operation.ts'
import { clearSessionCookie, parameter, setSessionCookie, signedInPerson } from './member.ts'

const SignInBody = Type.Object({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1000 }),
})

const text = Type.String({ maxLength: 300 })
const SetupBody = Type.Object({
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
  const body = request.body as Static<typeof SignInBody>
  const session = await signIn(deps.db, { ...body, address: request.ip, requestId: request.id, now })
  setSessionCookie(deps, reply, session)
  return selectSession(deps.db, session.personId, now)
}

async function deleteSession(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const person = await signedInPerson(deps, request, deps.now())
  await closeSession(deps.db, person.sessionId)
  clearSessionCookie(deps, reply)
  return reply.code(204).send()
}

async function getSetup(deps: HttpDeps, request: FastifyRequest): Promise<SetupState> {
  return { open: await isSetupOpen(deps.db, parameter(request, 'secret')) }
}

async function postSetup(deps: HttpDeps, request: FastifyRequest, reply: FastifyReply): Promise<Session> {
  const now = deps.now()
  const setup = request.body as Static<typeof SetupBody>
  const session = await completeSetup(deps.db, { secret: parameter(request, 'secret'), setup, now })
  setSessionCookie(deps, reply, session)
  return selectSession(deps.db, session.personId, now)
}

/** First run, sign-in and sign-out. */
export const sessionOperations: readonly AppOperation[] = [
  read('/session', getSession),
  { ...write('POST', '/session', postSession, SignInBody), credential: 'none' },
  write('DELETE', '/session', deleteSession),
  { ...read('/setup/:secret', getSetup), credential: 'none' },
  { ...write('POST', '/setup/:secret', postSetup, SetupBody), credential: 'none' },
]
