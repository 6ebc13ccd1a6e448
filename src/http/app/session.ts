import type { FastifyInstance } from 'fastify'
import { Type, type Static } from 'typebox'
import type { Session, SetupState } from '../../contract/app.ts'
import { selectSession } from '../../workspace/people/people.ts'
import { closeSession } from '../../workspace/people/sessions.ts'
import { completeSetup, isSetupOpen } from '../../workspace/people/setup.ts'
import { signIn } from '../../workspace/people/sign-in.ts'
import { clearSessionCookie, parameter, setSessionCookie, signedInPerson, type AppDeps } from './member.ts'

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

/** First run, sign-in and sign-out. */
export function registerSession(app: FastifyInstance, deps: AppDeps): void {
  app.get('/session', async (request): Promise<Session> => {
    const now = deps.now()
    const person = await signedInPerson(deps, request, now)
    return selectSession(deps.db, person.personId, now)
  })

  app.post<{ Body: Static<typeof SignInBody> }>(
    '/session',
    { schema: { body: SignInBody } },
    async (request, reply) => {
      const now = deps.now()
      const session = await signIn(deps.db, {
        ...request.body,
        address: request.ip,
        requestId: request.id,
        now,
      })
      setSessionCookie(deps, reply, session)
      return selectSession(deps.db, session.personId, now)
    },
  )

  app.delete('/session', async (request, reply) => {
    const person = await signedInPerson(deps, request, deps.now())
    await closeSession(deps.db, person.sessionId)
    clearSessionCookie(deps, reply)
    return reply.code(204).send()
  })

  app.get('/setup/:secret', async (request): Promise<SetupState> => {
    return { open: await isSetupOpen(deps.db, parameter(request, 'secret')) }
  })

  app.post<{ Body: Static<typeof SetupBody> }>(
    '/setup/:secret',
    { schema: { body: SetupBody } },
    async (request, reply) => {
      const now = deps.now()
      const session = await completeSetup(deps.db, {
        secret: parameter(request, 'secret'),
        setup: request.body,
        now,
      })
      setSessionCookie(deps, reply, session)
      return selectSession(deps.db, session.personId, now)
    },
  )
}
