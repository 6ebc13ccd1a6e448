import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { ServiceError } from '../../contract/errors.ts'
import type { PasskeyOptions, PasskeyPurpose } from '../../contract/people/sign-in.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { enter, type OpenedSession } from '../enter.ts'
import type { Origin, OwnAct } from '../own-act.ts'
import type { Replacing } from '../sessions.ts'
import { confirmSession } from '../fresh.ts'
import { takeChallengeTurn } from '../sign-in-window.ts'
import { checkAnswer, makeChallenge } from './passkey-challenges.ts'
import type { RelyingParty } from './passkeys.ts'
import { loadWebAuthn } from './web-authn.ts'
import { endStep, selectWaiting } from './second-step.ts'

type Asking = { party: RelyingParty; now: Date }
type Proof = Asking & { response: AuthenticationResponseJSON }
type Proven = { id: string; name: string }

/** The options for the browser's passkey to sign in, alone or after the password of `secret`. Codes: `rate_limited`, `signed_out`. */
export async function askPasskey(
  db: Db,
  { party, secret, address, now }: Asking & { secret?: string | undefined; address: string },
): Promise<PasskeyOptions> {
  await takeChallengeTurn(db, { address, now })
  if (secret === undefined) return optionsFor(db, { party, purpose: 'sign_in', personId: null, now })
  const { id } = await selectWaiting(db, secret, now)
  return optionsFor(db, { party, purpose: 'second_step', personId: id, now })
}

/** The same for a person who is signed in. */
export function askOwnPasskey(
  db: Db,
  { party, person, now }: Asking & Pick<OwnAct, 'person'>,
): Promise<PasskeyOptions> {
  return optionsFor(db, { party, purpose: 'confirm', personId: person.personId, now })
}

type Purpose = Asking & { purpose: PasskeyPurpose; personId: string | null }

async function optionsFor(db: Db, { party, purpose, personId, now }: Purpose): Promise<PasskeyOptions> {
  const own =
    personId === null
      ? []
      : await db.selectFrom('passkey').select('credential_id').where('person_id', '=', personId).execute()
  const { generateAuthenticationOptions } = await loadWebAuthn()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: await makeChallenge(db, { purpose, personId, now }),
    userVerification: purpose === 'second_step' ? 'preferred' : 'required',
    allowCredentials: own.map(({ credential_id }) => ({ id: credential_id })),
  })
  return { options: { ...options } }
}

type SignIn = Proof & Origin & Replacing & { secret?: string | undefined; now: Date }

/**
 * Signs in with a passkey: alone where it has verified its user, or after the password. Codes: `signed_out` (it does not
 * count here, whatever the reason).
 */
export async function signInWithPasskey(
  db: Db,
  { secret, party, response, ...origin }: SignIn,
): Promise<OpenedSession> {
  const proof = { party, response, now: origin.now }
  if (secret === undefined) {
    const person = await proven(db, proof, { purpose: 'sign_in', personId: null })
    const how = { how: 'passkey', secondFactor: 'passkey' } as const
    return transact(db, (tx) => enter(tx, { ...origin, person, proof: how }))
  }
  const { id } = await selectWaiting(db, secret, origin.now)
  const person = await proven(db, proof, { purpose: 'second_step', personId: id })
  const how = { how: 'password', secondFactor: 'passkey' } as const
  return transact(db, async (tx) => {
    await endStep(tx, secret)
    return enter(tx, { ...origin, person, proof: how })
  })
}

/** Confirms the person's identity for dangerous acts. Codes: `signed_out`. */
export async function confirmWithPasskey(
  db: Db,
  { person, party, response, now }: Proof & Pick<OwnAct, 'person'>,
): Promise<void> {
  const { personId } = person
  await proven(db, { party, response, now }, { purpose: 'confirm', personId }, 'invalid_request')
  await confirmSession({ db }, { person, now })
}

type Expected = { purpose: PasskeyPurpose; personId: string | null }

/** Whose passkey has signed what it was asked to. */
async function proven(
  db: Db,
  { party, response, now }: Proof,
  { purpose, personId }: Expected,
  code: 'signed_out' | 'invalid_request' = 'signed_out',
): Promise<Proven> {
  const refused = () =>
    new ServiceError(code, { message: 'This passkey is not known here, or it did not respond in time.' })
  const passkey = await selectPasskey(db, response.id)
  if (passkey === undefined || (personId !== null && passkey.person_id !== personId)) throw refused()
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const checked = await checkAnswer(db, {
    made: { purpose, personId, now },
    verify: (expectedChallenge) =>
      verifyAuthenticationResponse({
        response,
        expectedChallenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        requireUserVerification: purpose !== 'second_step',
        credential: {
          id: passkey.credential_id,
          publicKey: Uint8Array.from(passkey.public_key),
          counter: passkey.sign_count,
        },
      }),
    refused,
  })
  if (!checked.verified) throw refused()
  const used = await db
    .updateTable('passkey')
    .set({ sign_count: checked.authenticationInfo.newCounter, last_used_at: now })
    .where('id', '=', passkey.id)
    // two answers with the same counter mean a cloned passkey
    .where('sign_count', '=', passkey.sign_count)
    .executeTakeFirst()
  if (used.numUpdatedRows !== 1n) throw refused()
  return { id: passkey.person_id, name: passkey.name }
}

function selectPasskey(db: Db, credentialId: string) {
  return db
    .selectFrom('passkey as k')
    .innerJoin('person as p', 'p.id', 'k.person_id')
    .select(['k.id', 'k.person_id', 'k.credential_id', 'k.public_key', 'k.sign_count', 'p.name'])
    .where('k.credential_id', '=', credentialId)
    .executeTakeFirst()
}
