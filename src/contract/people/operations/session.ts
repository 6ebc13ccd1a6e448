import { Type, type Static } from 'typebox'
import { Session, SetupState } from '../sessions.ts'
import { SignInAnswer } from '../sign-in.ts'
import { answer, nothing, operation } from '../../operation.ts'

/** 401 `signed_out` without a session. */
export const getSession = operation({
  method: 'GET',
  path: '/session',
  permission: 'signed_in',
  answer: answer(Session),
})

const SignIn = Type.Object({
  email: Type.String({ maxLength: 254 }),
  password: Type.String({ maxLength: 1000 }),
})
export type SignIn = Static<typeof SignIn>

/** A second factor, where there is one, is asked for next. 401 `signed_out` for wrong credentials, 429 `rate_limited`. */
export const signIn = operation({
  method: 'POST',
  path: '/session',
  permission: 'anyone',
  body: SignIn,
  answersSecret: true,
  answer: answer(SignInAnswer),
})

/** 400 for a wrong code, 401 `signed_out` where the sign-in has to begin again, 429 `rate_limited`. */
export const completeSignIn = operation({
  method: 'POST',
  path: '/session/second-step',
  permission: 'anyone',
  body: Type.Object({
    secret: Type.String({ maxLength: 100 }),
    code: Type.String({ maxLength: 40 }),
  }),
  answer: answer(Session),
})

export const signOut = operation({
  method: 'DELETE',
  path: '/session',
  permission: 'signed_in',
  answer: nothing,
})

const text = Type.String({ maxLength: 300 })

/** The secret travels in bodies only: addresses end up in logs. */
export const getSetupState = operation({
  method: 'POST',
  path: '/setup/state',
  permission: 'anyone',
  body: Type.Object({ secret: text }),
  answer: answer(SetupState),
})

const Setup = Type.Object({
  secret: text,
  name: text,
  email: text,
  password: Type.String({ maxLength: 1000 }),
  companyName: text,
  slug: text,
  securityContactEmail: text,
  timeZone: text,
})
export type Setup = Static<typeof Setup>

/** 404 when the link has ended. */
export const completeSetup = operation({
  method: 'POST',
  path: '/setup',
  permission: 'anyone',
  body: Setup,
  answer: answer(Session),
})
