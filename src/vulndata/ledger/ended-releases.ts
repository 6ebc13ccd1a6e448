import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { endedReleases } from '../../identities/distributions/release-ends.ts'
import { columnOf } from '../../platform/postgres/columns.ts'

/** Scheduled: notes which of the releases that records speak of have ended, and which have not after all. Costs nothing where nothing changes. */
export async function noteEndedReleases(db: Db, now: Date): Promise<void> {
  const ended = endedReleases(now)
  await sql`
    with ended as materialized (
      select * from unnest(
        ${columnOf(ended, 'text', ({ ecosystem }) => ecosystem)}, ${columnOf(ended, 'text', ({ release }) => release)}
      ) as e (ecosystem, release)
    ), told as (
      select k.ecosystem, k.release, e.release is not null as has_ended
      from known_release k
      left join ended e on e.ecosystem = k.ecosystem and e.release = k.release
    )
    update known_release k set has_ended = t.has_ended
    from told t
    where t.ecosystem = k.ecosystem and t.release = k.release and t.has_ended <> k.has_ended`.execute(db)
}
