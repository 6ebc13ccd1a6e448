import { Type } from 'typebox'
import type { SignInSettings } from '../sign-in.ts'
import { answer, nothing, operation } from './operation.ts'

const path = '/workspaces/:slug/sign-in'

export const getSignInSettings = operation({
  method: 'GET',
  path,
  permission: 'manage_sign_in',
  answer: answer<SignInSettings>(),
})

/** 409 for whoever has no second factor and asks it of others. */
export const changeSignInSettings = operation({
  method: 'PATCH',
  path,
  permission: 'manage_sign_in',
  isDangerous: true,
  worksReadOnly: 'until_closed',
  body: Type.Object({ requiresSecondFactor: Type.Boolean() }),
  answer: nothing,
})
