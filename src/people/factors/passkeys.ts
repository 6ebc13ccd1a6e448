import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { NewRecoveryCodes, PasskeyOptions } from '../../contract/people/sign-in.ts'
import type { Db } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import { readName } from '../../platform/input-reader.ts'
import { lockOwnAccount, type OwnAct } from '../own-act.ts'
import { checkAnswer, makeChallenge } from './passkey-challenges.ts'
import { factorAdded, factorRemoved, recordFactorChange, secondFactorWaysOf } from './second-factors.ts'
import { loadWebAuthn } from './web-authn.ts'

/** Whose passkeys they are: the name of the host and the origin that pages have (W3C Web Authentication, §4 "RP ID"). */
export type RelyingParty = { id: string; origin: string; name: string }

const maxPasskeys = 20
/** EdDSA, ES256 and RS256 (IANA, COSE algorithms): every device knows one of them. */
const algorithms = [-8, -7, -257]

/** What the browser makes a new passkey from. Codes: `conflict` (there are too many). */
export async function beginPasskey(
  db: Db,
  { person, now, party }: Pick<OwnAct, 'person' | 'now'> & { party: RelyingParty },
): Promise<PasskeyOptions> {
  const { personId, name, email } = person
  const known = await selectRoom(db, personId)
  const { generateRegistrationOptions } = await loadWebAuthn()
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userID: Uint8Array.from(Buffer.from(personId)),
    userName: email,
    userDisplayName: name,
    challenge: await makeChallenge(db, { purpose: 'register', personId, now }),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { options: { ...options } }
}

/** The passkeys there are, where another one has room beside them. Codes: `conflict`. */
async function selectRoom(db: Db, personId: string): Promise<{ credential_id: string }[]> {
  const known = await db
    .selectFrom('passkey')
    .select('credential_id')
    .where('person_id', '=', personId)
    .execute()
  if (known.length < maxPasskeys) return known
  throw new ServiceError('conflict', {
    message: `An account has ${maxPasskeys} passkeys at most. Remove one first.`,
  })
}

type NewPasskey = OwnAct & { party: RelyingParty; name: string; response: RegistrationResponseJSON }

/** Keeps what the browser has made. Codes: `invalid_request` (fields `name`, `response`), `conflict` (it is kept already, or there are too many). */
export async function addPasskey(
  db: Db,
  { party, name, response, ...act }: NewPasskey,
): Promise<NewRecoveryCodes> {
  const { personId } = act.person
  const called = readName(name, 60)
  const credential = await verified(db, { party, response, personId, now: act.now })
  return transact(db, async (tx) => {
    await lockOwnAccount(tx, act)
    // several may have been begun while there was room
    await selectRoom(tx, personId)
    const isFirst = (await secondFactorWaysOf(tx, personId)).length === 0
    const added = await tx
      .insertInto('passkey')
      .values({
        id: newId(act.now),
        person_id: personId,
        name: called,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey),
        sign_count: credential.counter,
        transports: (credential.transports ?? []).slice(0, 10),
        created_at: act.now,
        last_used_at: null,
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) {
      throw new ServiceError('conflict', { message: 'This passkey has already been added.' })
    }
    await recordFactorChange(tx, act, 'passkey_added')
    return { recoveryCodes: await factorAdded(tx, act, { isFirst }) }
  })
}

type Answered = Pick<NewPasskey, 'party' | 'response' | 'now'> & { personId: string }

async function verified(db: Db, { party, response, personId, now }: Answered) {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  const checked = await checkAnswer(db, {
    made: { purpose: 'register', personId, now },
    verify: (expectedChallenge) =>
      verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        // One that does not ask for a finger or a PIN can follow a password; signing in with it alone is refused.
        requireUserVerification: false,
        supportedAlgorithmIDs: algorithms,
      }),
    refused: notRight,
  })
  if (!checked.verified) throw notRight()
  return checked.registrationInfo.credential
}

function notRight(cause?: unknown): ServiceError {
  const detail = cause instanceof Error ? { detail: cause.message.slice(0, 200) } : {}
  const fields = { response: 'The browser did not create a passkey for this account. Try again.' }
  return new ServiceError('invalid_request', { fields, ...detail })
}

/** Codes: `not_found`. */
export async function removePasskey(
  db: Db,
  { passkeyId, ...act }: OwnAct & { passkeyId: string },
): Promise<void> {
  const { personId } = act.person
  await transact(db, async (tx) => {
    await lockOwnAccount(tx, act)
    const removed = await sql`
      delete from passkey where id = ${passkeyId} and person_id = ${personId}`.execute(tx)
    if (removed.numAffectedRows === 0n) throw new ServiceError('not_found')
    await recordFactorChange(tx, act, 'passkey_removed')
    await factorRemoved(tx, act)
  })
}
