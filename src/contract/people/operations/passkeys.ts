import { Type } from 'typebox'
import { Session } from '../sessions.ts'
import { NewRecoveryCodes, PasskeyOptions } from '../sign-in.ts'
import { answer, nothing, operation } from '../../operation.ts'

const text = Type.String({ maxLength: 20_000 })
const common = {
  id: Type.String({ maxLength: 2_000 }),
  rawId: Type.String({ maxLength: 2_000 }),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Object({}),
}

/** What the browser answers, as its own JSON (W3C Web Authentication, level 3, §5.1). */
const Registration = Type.Object({
  ...common,
  response: Type.Object({
    clientDataJSON: text,
    attestationObject: Type.String({ maxLength: 200_000 }),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
  }),
})
const Assertion = Type.Object({
  ...common,
  response: Type.Object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: Type.Optional(Type.String({ maxLength: 200 })),
  }),
})

const own = '/account/passkeys'

export const beginPasskey = operation({
  method: 'POST',
  path: `${own}/options`,
  permission: 'signed_in',
  isDangerous: true,
  answer: answer(PasskeyOptions),
})

export const addPasskey = operation({
  method: 'POST',
  path: own,
  permission: 'signed_in',
  isDangerous: true,
  body: Type.Object({ name: Type.String({ maxLength: 300 }), response: Registration }),
  answersSecret: true,
  answer: answer(NewRecoveryCodes, 201),
})

export const removePasskey = operation({
  method: 'DELETE',
  path: `${own}/:passkey`,
  permission: 'signed_in',
  isDangerous: true,
  answer: nothing,
})

/** The secret of a sign-in whose password was right; none: the passkey alone signs in. */
const secret = Type.Optional(Type.String({ maxLength: 100 }))

export const askPasskey = operation({
  method: 'POST',
  path: '/session/passkey/options',
  permission: 'anyone',
  body: Type.Object({ secret }),
  answer: answer(PasskeyOptions),
})

/** 401 `signed_out` for a passkey that does not count here. */
export const signInWithPasskey = operation({
  method: 'POST',
  path: '/session/passkey',
  permission: 'anyone',
  body: Type.Object({ secret, response: Assertion }),
  answer: answer(Session),
})

const confirmation = '/account/confirmation/passkey'

export const askOwnPasskey = operation({
  method: 'POST',
  path: `${confirmation}/options`,
  permission: 'signed_in',
  answer: answer(PasskeyOptions),
})

/** Proves once more who it is. */
export const confirmWithPasskey = operation({
  method: 'POST',
  path: confirmation,
  permission: 'signed_in',
  body: Type.Object({ response: Assertion }),
  answer: nothing,
})
