import { Type, type Static } from 'typebox'
import { Session } from '../sessions.ts'
import { answer, nothing, operation } from '../../operation.ts'
import { nullable } from '../../schema.ts'

/** Without `sendsMail`, the operator hands the link over. */
const SignUpOffer = Type.Object({
  isOpen: Type.Boolean(),
  termsUrl: nullable(Type.String()),
  privacyUrl: nullable(Type.String()),
  sendsMail: Type.Boolean(),
})
export type SignUpOffer = Static<typeof SignUpOffer>

/** What a link is about to create. */
const SignUpState = Type.Object({
  email: Type.String(),
  name: Type.String(),
  companyName: Type.String(),
  slug: Type.String(),
  /** Nobody took the address meanwhile. */
  isSlugFree: Type.Boolean(),
  /** The person signs in instead of choosing a password. */
  hasAccount: Type.Boolean(),
})
export type SignUpState = Static<typeof SignUpState>

const text = Type.String({ maxLength: 300 })

/** What anyone may know before signing up or in. */
export const getSignUpOffer = operation({
  method: 'GET',
  path: '/sign-up',
  permission: 'anyone',
  answer: answer(SignUpOffer),
})

const SignUp = Type.Object({
  name: text,
  email: text,
  companyName: text,
  slug: text,
  securityContactEmail: text,
  timeZone: text,
  acceptsTerms: Type.Boolean(),
})
export type SignUp = Static<typeof SignUp>

/** Sends the link that creates the workspace; the same answer whether the e-mail has an account. 403 `forbidden`: sign-up is closed. */
export const requestSignUp = operation({
  method: 'POST',
  path: '/sign-up',
  permission: 'anyone',
  body: SignUp,
  answer: nothing,
})

/** The secret travels in bodies only: addresses end up in logs. 404 when the link has ended. */
export const getSignUpState = operation({
  method: 'POST',
  path: '/sign-up/state',
  permission: 'anyone',
  body: Type.Object({ secret: text }),
  answer: answer(SignUpState),
})

/** For an e-mail without an account. */
export const completeSignUp = operation({
  method: 'POST',
  path: '/sign-up/complete',
  permission: 'anyone',
  body: Type.Object({ secret: text, slug: text, password: Type.String({ maxLength: 1000 }) }),
  answer: answer(Session),
})

/** For who has an account and is signed in to it; 403 `forbidden` in a session that a company opened. */
export const createFromSignUp = operation({
  method: 'POST',
  path: '/sign-up/create',
  permission: 'signed_in',
  body: Type.Object({ secret: text, slug: text }),
  answer: answer(Session),
})
