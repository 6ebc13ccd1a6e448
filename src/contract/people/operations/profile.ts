import { Type, type Static } from 'typebox'
import { Session } from '../sessions.ts'
import { answer, nothing, operation } from '../../operation.ts'
import { nullable } from '../../schema.ts'

const text = Type.String({ maxLength: 300 })
const password = Type.String({ maxLength: 1000 })

const Profile = Type.Object({
  name: Type.Optional(text),
  /** null: the workspace's. */
  timeZone: Type.Optional(nullable(text)),
})
export type Profile = Static<typeof Profile>

export const changeProfile = operation({
  method: 'PATCH',
  path: '/account/profile',
  permission: 'signed_in',
  body: Profile,
  answer: answer(Session),
})

/** Sends a link to the new address; until it is used nothing changes. The same answer whether the address has an account. */
export const requestEmailChange = operation({
  method: 'POST',
  path: '/account/email',
  permission: 'signed_in',
  body: Type.Object({ email: text, password }),
  answer: nothing,
})

/** Confirmed by the reader of the new mailbox, in any browser. 404 when the link has ended, 409 when the address has another account. */
export const confirmEmailChange = operation({
  method: 'POST',
  path: '/account/email/confirm',
  permission: 'anyone',
  body: Type.Object({ secret: text }),
  answer: answer(Type.Object({ email: Type.String() })),
})

/** Sends a link, should the address have an account; the answer does not say. */
export const requestReset = operation({
  method: 'POST',
  path: '/password-reset',
  permission: 'anyone',
  body: Type.Object({ email: text }),
  answer: nothing,
})

/** The secret travels in bodies only: addresses end up in logs. 404 when the link has ended. */
export const getReset = operation({
  method: 'POST',
  path: '/password-reset/state',
  permission: 'anyone',
  body: Type.Object({ secret: text }),
  answer: answer(Type.Object({ email: Type.String() })),
})

/** Ends every session of the person, and signs nobody in. */
export const resetPassword = operation({
  method: 'POST',
  path: '/password-reset/complete',
  permission: 'anyone',
  body: Type.Object({ secret: text, newPassword: password }),
  answer: nothing,
})
