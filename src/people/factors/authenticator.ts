import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { NewApp, NewRecoveryCodes } from '../../contract/people/sign-in.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { newId } from '../../platform/random.ts'
import { SealError } from '../../platform/sealing/envelope.ts'
import { lockSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import { lockOwnAccount, type OwnAct } from '../own-act.ts'
import { appSecretPlace } from './sealed-places.ts'
import { factorAdded, factorRemoved, recordFactorChange, secondFactorWaysOf } from './second-factors.ts'
import { appUri, newAppSecret, stepAt, stepOfCode } from './totp.ts'

type Deps = { db: Db; sealing: Sealing }

/** Makes the secret of a new app, which has no effect until a code confirms it. Codes: `not_configured`. */
export async function beginApp(
  { db, sealing }: Deps,
  { person, now, serviceName }: Pick<OwnAct, 'person' | 'now'> & { serviceName: string },
): Promise<NewApp> {
  const { personId, email } = person
  const secret = newAppSecret()
  const id = newId(now)
  await transact(db, async (tx) => {
    await lockSealing(tx, sealing, 'the secret of an authenticator app')
    await lockOwnAccount(tx, { person })
    await tx
      .deleteFrom('authenticator')
      .where('person_id', '=', personId)
      .where('confirmed_at', 'is', null)
      .execute()
    const secret_sealed = sealing.seal(appSecretPlace({ personId, id }), secret)
    await tx
      .insertInto('authenticator')
      .values({ id, person_id: personId, secret_sealed, created_at: now, confirmed_at: null })
      .execute()
  })
  return { secret, uri: appUri({ secret, issuer: serviceName, email }) }
}

/**
 * Activates the new app in place of the previous one. Codes: `conflict` (none was begun), `invalid_request` (field `code`),
 * `not_configured`.
 */
export async function confirmApp(
  { db, sealing }: Deps,
  { code, ...act }: OwnAct & { code: string },
): Promise<NewRecoveryCodes> {
  const { personId } = act.person
  return transact(db, async (tx) => {
    await lockOwnAccount(tx, act)
    const pending = await selectApp(tx, personId, 'pending')
    if (pending === undefined) throw new ServiceError('conflict', { message: 'No app is being set up.' })
    const step = stepOfCode(openSecret(sealing, personId, pending), code.replaceAll(/\s/g, ''), act.now)
    if (step === undefined) {
      throw new ServiceError('invalid_request', {
        fields: { code: 'This is not the current code of the app. Check the clock of the phone.' },
      })
    }
    const isFirst = (await secondFactorWaysOf(tx, personId)).length === 0
    await tx
      .deleteFrom('authenticator')
      .where('person_id', '=', personId)
      .where('id', '<>', pending.id)
      .execute()
    await tx
      .updateTable('authenticator')
      .set({ confirmed_at: act.now, last_step: step })
      .where('id', '=', pending.id)
      .execute()
    await recordFactorChange(tx, act, 'app_added')
    return { recoveryCodes: await factorAdded(tx, act, { isFirst }) }
  })
}

/** Removes the app. Codes: `not_found`. */
export async function removeApp({ db }: Pick<Deps, 'db'>, act: OwnAct): Promise<void> {
  const { personId } = act.person
  await transact(db, async (tx) => {
    await lockOwnAccount(tx, act)
    const removed = await sql`
      delete from authenticator where person_id = ${personId} and confirmed_at is not null`.execute(tx)
    if (removed.numAffectedRows === 0n) throw new ServiceError('not_found')
    await recordFactorChange(tx, act, 'app_removed')
    await factorRemoved(tx, act)
  })
}

/** Whether a text has the form of an app's code; anything else is a recovery code. */
export function isAppCode(text: string): boolean {
  return /^\d{6}$/.test(text)
}

/** Consumes a code of the app: it and earlier ones are no longer accepted. Codes: `not_configured`. */
export async function takeAppCode(
  tx: Tx,
  sealing: Sealing,
  { personId, code, now }: { personId: string; code: string; now: Date },
): Promise<boolean> {
  const app = await selectApp(tx, personId, 'confirmed')
  if (app === undefined) return false
  const step = stepOfCode(openSecret(sealing, personId, app), code, now)
  if (step === undefined) return false
  // a step far ahead was accepted before the clock was set back
  const taken = await sql`
    update authenticator set last_step = ${step}
    where id = ${app.id} and (last_step < ${step} or last_step > ${stepAt(now) + 2})`.execute(tx)
  return taken.numAffectedRows === 1n
}

type App = { id: string; secret_sealed: Buffer }

function selectApp(tx: Tx, personId: string, which: 'pending' | 'confirmed'): Promise<App | undefined> {
  return tx
    .selectFrom('authenticator')
    .select(['id', 'secret_sealed'])
    .where('person_id', '=', personId)
    .where('confirmed_at', which === 'pending' ? 'is' : 'is not', null)
    .executeTakeFirst()
}

function openSecret(sealing: Sealing, personId: string, { id, secret_sealed }: App): string {
  try {
    return sealing.open(appSecretPlace({ personId, id }), secret_sealed)
  } catch (error) {
    if (!(error instanceof SealError)) throw error
    throw new ServiceError('not_configured', {
      message:
        'Codes of authenticator apps cannot be checked at the moment: the operator has to set the encryption keys. Use a recovery code.',
    })
  }
}
