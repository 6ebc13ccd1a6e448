import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type {
  FactorChange,
  NewRecoveryCodes,
  PasskeyRow,
  SecondFactors,
  SecondFactorWay,
} from '../../contract/people/sign-in.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { enqueueNotice } from '../../workspace/enqueue-notice.ts'
import { lockOwnAccount, recordOwnAct, type ActOfPerson, type OwnAct } from '../own-act.ts'
import { endSessionsOf, type SignedInPerson } from '../sessions.ts'
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'

/** A person's second factors; recovery codes alone are none. */
export async function secondFactorWaysOf(db: Db, personId: string): Promise<SecondFactorWay[]> {
  const app = await selectApp(db, personId)
  const passkey = await db
    .selectFrom('passkey')
    .select('id')
    .where('person_id', '=', personId)
    .limit(1)
    .executeTakeFirst()
  const ways: SecondFactorWay[] = []
  if (app !== undefined) ways.push('app')
  if (passkey !== undefined) ways.push('passkey')
  if (ways.length > 0 && (await countRecoveryCodes(db, personId)) > 0) ways.push('recovery_code')
  return ways
}

function selectApp(db: Db, personId: string) {
  return db
    .selectFrom('authenticator')
    .select('confirmed_at')
    .$narrowType<{ confirmed_at: Date }>()
    .where('person_id', '=', personId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
}

/** A session that a company opened does not reveal the person's other workspaces. */
export async function readSecondFactors(
  db: Db,
  { personId, companyWorkspaceId }: Pick<SignedInPerson, 'personId' | 'companyWorkspaceId'>,
): Promise<SecondFactors> {
  const app = await selectApp(db, personId)
  return {
    app: app === undefined ? null : { addedAt: app.confirmed_at.toISOString() },
    recoveryCodes: { left: await countRecoveryCodes(db, personId) },
    passkeys: await listPasskeys(db, personId),
    requiredBy: await selectRequiring(db, { personId, only: companyWorkspaceId }),
  }
}

async function listPasskeys(db: Db, personId: string): Promise<PasskeyRow[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ id, name, created_at, last_used_at }) => ({
    id,
    name,
    addedAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }))
}

async function selectRequiring(
  db: Db,
  { personId, only }: { personId: string; only: string | null },
): Promise<string[]> {
  const rows = await db
    .selectFrom('member as m')
    .innerJoin('workspace as w', 'w.id', 'm.workspace_id')
    .select('w.company_name')
    .where('m.person_id', '=', personId)
    .where('m.removed_at', 'is', null)
    .where('w.requires_second_factor', '=', true)
    .$if(only !== null, (query) => query.where('w.id', '=', only))
    .orderBy('w.company_name')
    .execute()
  return rows.map(({ company_name }) => company_name)
}

/**
 * After a factor was added in this transaction: recovery codes where the person has none, and the session in which it was shown counts as
 * opened with it. With the first factor the other sessions end, which were opened without one.
 */
export async function factorAdded(tx: Tx, act: OwnAct, { isFirst }: { isFirst: boolean }): Promise<string[]> {
  const { personId, sessionId } = act.person
  await sql`update session set has_second_factor = true where id = ${sessionId}`.execute(tx)
  if (isFirst) await endSessionsOf(tx, personId, { except: sessionId })
  if ((await countRecoveryCodes(tx, personId)) > 0) return []
  return makeRecoveryCodes(tx, { personId, now: act.now })
}

/** After a factor was removed in this transaction: recovery codes are none without another one. */
export async function factorRemoved(tx: Tx, { person: { personId, sessionId } }: OwnAct): Promise<void> {
  if ((await secondFactorWaysOf(tx, personId)).length > 0) return
  await tx.deleteFrom('recovery_code').where('person_id', '=', personId).execute()
  await sql`update session set has_second_factor = false where person_id = ${personId} and id = ${sessionId}`.execute(
    tx,
  )
}

/** New recovery codes in place of those of before. Codes: `conflict` (there is no second factor). */
export async function renewRecoveryCodes(db: Db, act: OwnAct): Promise<NewRecoveryCodes> {
  const { personId } = act.person
  return transact(db, async (tx) => {
    await lockOwnAccount(tx, act)
    if ((await secondFactorWaysOf(tx, personId)).length === 0) {
      throw new ServiceError('conflict', {
        message: 'Recovery codes are for those who have a second factor.',
      })
    }
    await recordFactorChange(tx, act, 'recovery_codes_made')
    return { recoveryCodes: await makeRecoveryCodes(tx, { personId, now: act.now }) }
  })
}

/** For somebody who has lost all of it: what the operator of the installation does. Ends the sessions; where there is no factor nothing changes. */
export async function removeAllFactors(
  db: Db,
  { email, actor, now }: { email: string; actor: Actor; now: Date },
): Promise<'removed' | 'none' | 'nobody'> {
  return transact(db, async (tx) => {
    const person = await tx
      .selectFrom('person')
      .select(['id', 'name'])
      .where(sql<boolean>`lower(email) = lower(${email.trim()})`)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (person === undefined) return 'nobody'
    let removed = 0n
    for (const table of ['authenticator', 'passkey', 'recovery_code'] as const) {
      const { numDeletedRows } = await tx
        .deleteFrom(table)
        .where('person_id', '=', person.id)
        .executeTakeFirst()
      removed += numDeletedRows
    }
    if (removed === 0n) return 'none'
    await endSessionsOf(tx, person.id)
    const change = 'all_removed'
    await recordAct(tx, {
      workspaceId: null,
      actor,
      at: now,
      action: 'person.second_factor_changed',
      object: { kind: 'person', ...person },
      after: { change },
    })
    const fact = { type: 'second_factor.changed', data: { change, at: now.toISOString() } } as const
    await enqueueNotice(tx, { to: { personId: person.id }, fact, now })
    return 'removed'
  })
}

/** Into the audit trail, and a message to the person. */
export async function recordFactorChange(tx: Tx, act: ActOfPerson, change: FactorChange): Promise<void> {
  await recordOwnAct(tx, act, { action: 'person.second_factor_changed', after: { change } })
  const data = { change, address: act.address, at: act.now.toISOString() }
  const fact = { type: 'second_factor.changed', data } as const
  await enqueueNotice(tx, { to: { personId: act.person.personId }, fact, now: act.now })
}
