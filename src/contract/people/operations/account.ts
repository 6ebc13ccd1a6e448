import { Type, type Static } from 'typebox'
import { SessionRow } from '../sessions.ts'
import { answer, nothing, operation } from '../../operation.ts'

const sessions = '/account/sessions'

export const listSessions = operation({
  method: 'GET',
  path: sessions,
  permission: 'signed_in',
  answer: answer(Type.Object({ sessions: Type.Array(SessionRow) })),
})

/** Ends every session of the person. */
export const signOutEverywhere = operation({
  method: 'DELETE',
  path: sessions,
  permission: 'signed_in',
  answer: nothing,
})

/** 404 for a session that has ended. */
export const endSession = operation({
  method: 'DELETE',
  path: `${sessions}/:session`,
  permission: 'signed_in',
  answer: nothing,
})

const password = Type.String({ maxLength: 1000 })
const PasswordChange = Type.Object({ currentPassword: password, newPassword: password })
export type PasswordChange = Static<typeof PasswordChange>

/** Ends the other sessions of the person; 429 `rate_limited`. */
export const changePassword = operation({
  method: 'POST',
  path: '/account/password',
  permission: 'signed_in',
  body: PasswordChange,
  answer: nothing,
})

/** Proves once more who it is: dangerous acts ask for it. 429 `rate_limited`. */
export const confirmIdentity = operation({
  method: 'POST',
  path: '/account/confirmation',
  permission: 'signed_in',
  body: Type.Object({ password }),
  answer: nothing,
})
