import { sql } from 'kysely'
import type { Tx } from '../database/connection.ts'
import { longerWait, waitLonger } from '../matching/locks.ts'
import { prepared } from '../platform/postgres/prepared.ts'

/** First keys of the advisory locks of this room, beside the one of `matching`. */
const lockClass = { families: 7_302, findings: 7_303 } as const

/** Waits until no other transaction works out findings of this family, nor changes findings everywhere. */
export async function lockFindingsOfFamily(tx: Tx, familyId: string): Promise<void> {
  await sql`
    select ${longerWait}, pg_advisory_xact_lock_shared(${sql.lit(lockClass.findings)}, 0),
      pg_advisory_xact_lock(${sql.lit(lockClass.families)}, hashtext(${familyId}))
    ${prepared}`.execute(tx)
}

/** Waits until no transaction works out findings of any family. */
export async function lockAllFindings(tx: Tx): Promise<void> {
  await waitLonger(tx)
  await sql`select pg_advisory_xact_lock(${lockClass.findings}::int, 0)`.execute(tx)
}
