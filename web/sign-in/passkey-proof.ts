import type { Session } from '#contract/people/sessions.ts'
import {
  askOwnPasskey,
  askPasskey,
  confirmWithPasskey,
  signInWithPasskey,
} from '#contract/people/operations/passkeys.ts'
import { call } from '../kit/api/call.ts'
import { signWithPasskey } from './passkey.ts'

/** Signs in; with the secret of a sign-in whose password was right, as its second step. */
export async function enterWithPasskey(secret?: string): Promise<Session> {
  const step = secret === undefined ? {} : { secret }
  const response = await signWithPasskey(await call(askPasskey, { body: step }))
  return call(signInWithPasskey, { body: { ...step, response } })
}

/** Proves the person's identity again. */
export async function confirmByPasskey(): Promise<void> {
  const response = await signWithPasskey(await call(askOwnPasskey, {}))
  await call(confirmWithPasskey, { body: { response } })
}
