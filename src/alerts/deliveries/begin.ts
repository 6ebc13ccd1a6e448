import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import type { Attempt } from './settle.ts'

/**
 * Records the start of attempts: from now on a receiver may have seen them. Returns the deliveries that are still theirs; those that
 * another attempt has claimed, or that have a result, are not sent.
 */
export async function recordBegun(db: Db, attempts: readonly Attempt[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with locked as (
      select d.id from alert_delivery d
      join unnest(
        ${attempts.map(({ id }) => id)}::uuid[], ${attempts.map((one) => one.attempts)}::smallint[]
      ) a(id, attempts) on a.id = d.id and a.attempts = d.attempts
      where d.state = 'sending' order by d.id for no key update of d
    )
    update alert_delivery d set begun = d.begun + 1 from locked where d.id = locked.id
    returning d.id ${prepared}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
