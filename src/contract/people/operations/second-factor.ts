import { Type } from 'typebox'
import { NewApp, NewRecoveryCodes, SecondFactors } from '../sign-in.ts'
import { answer, nothing, operation } from '../../operation.ts'

const path = '/account/second-factor'

export const getSecondFactors = operation({
  method: 'GET',
  path,
  permission: 'signed_in',
  answer: answer(SecondFactors),
})

/** Makes the secret of a new app; it counts once a code of it was shown. */
export const beginApp = operation({
  method: 'POST',
  path: `${path}/app`,
  permission: 'signed_in',
  isDangerous: true,
  answersSecret: true,
  answer: answer(NewApp, 201),
})

/** With the first factor, the other sessions of the person end. */
export const confirmApp = operation({
  method: 'POST',
  path: `${path}/app/code`,
  permission: 'signed_in',
  isDangerous: true,
  body: Type.Object({ code: Type.String({ maxLength: 40 }) }),
  answersSecret: true,
  answer: answer(NewRecoveryCodes),
})

export const removeApp = operation({
  method: 'DELETE',
  path: `${path}/app`,
  permission: 'signed_in',
  isDangerous: true,
  answer: nothing,
})

/** New ones in place of all of before; 409 without a second factor. */
export const makeRecoveryCodes = operation({
  method: 'POST',
  path: `${path}/recovery-codes`,
  permission: 'signed_in',
  isDangerous: true,
  answersSecret: true,
  answer: answer(NewRecoveryCodes, 201),
})
