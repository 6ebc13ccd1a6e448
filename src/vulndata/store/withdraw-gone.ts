import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { selectNeighbours } from './record-queries.ts'
import { deleteRanges } from './range-queries.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import type { HasId } from './row-ids.ts'
import { type RecordChanges } from './store-records.ts'
import { deleteDigests } from './write-digests.ts'
import { ecosystemOfSource } from '../../records/ecosystem-source.ts'
import { goneHash } from '../records/record-rows.ts'

const maxGoneShare = 0.1

type Reconcile = { source: string; now: Date }

/**
 * Withdraws the records of a source (`osv:npm`) that its whole file no longer has: deltas name no deletions. Refuses (`RefusedData`) when
 * that would be more than 10 % of them, because a file that lost so much is broken. Call it after the file's records are stored.
 */
export async function withdrawGone(
  tx: Tx,
  { source, now }: Reconcile,
  changes: RecordChanges,
): Promise<void> {
  const { live, missing } = await selectMissing(tx, source, changes.seenRows)
  if (missing.length === 0) return
  const gone = await withoutOtherHome(tx, source, missing)
  if (gone.length > live * maxGoneShare) {
    throw new RefusedData(
      `the file of ${ecosystemOfSource(source) ?? source} lacks ${gone.length} of ${live} records; a file that withdraws more than 10 % is not imported`,
    )
  }
  for (const key of await deleteRanges(tx, gone)) changes.packageKeys.add(key)
  for (const digest of await deleteDigests(tx, gone)) changes.digests.add(digest)
  for (const id of await selectNeighbours(tx, gone)) changes.regroup.add(id)
  await sql`
    update vulnerability set withdrawn_at = ${now}::timestamptz, content_hash = ${goneHash}, imported_at = ${now}::timestamptz
    where id = any(${gone}::bigint[])`.execute(tx)
  await sql`
    update alias_assertion set bridges = false
    where vulnerability_id = any(${gone}::bigint[]) and relation in ('alias', 'notice')`.execute(tx)
  changes.gone += gone.length
  for (const id of gone) changes.regroup.add(id)
}

/** How many live records a source has, and those that were not seen. Their ids come as one text: a million rows would be a million objects. */
async function selectMissing(
  tx: Tx,
  source: string,
  seen: HasId,
): Promise<{ live: number; missing: number[] }> {
  const { rows } = await sql<{ live: number; ids: string | null }>`
    select count(*) as live, string_agg(id::text, ' ' order by id) as ids from vulnerability
    where source = ${source} and withdrawn_at is null`.execute(tx)
  const { live = 0, ids = null } = rows[0] ?? {}
  const missing: number[] = []
  for (const [id] of (ids ?? '').matchAll(/\d+/g)) if (!seen.has(Number(id))) missing.push(Number(id))
  return { live, missing }
}

/**
 * A record that left this source's file but names packages of another loaded ecosystem belongs to that one from now on: its file
 * decides whether the record lives. Returns the records that have no other home.
 */
async function withoutOtherHome(tx: Tx, source: string, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with moved as (
      select r.vulnerability_id as id, min(d.name) as source
      from affected_range r
      join data_source d on d.name = 'osv:' || split_part(r.package_key, chr(31), 1)
      where r.vulnerability_id = any(${ids}::bigint[]) and d.last_success_at is not null
        and d.name <> ${source}
      group by r.vulnerability_id
    )
    update vulnerability v set source = moved.source from moved where v.id = moved.id
    returning v.id`.execute(tx)
  const moved = new Set(rows.map((row) => row.id))
  return ids.filter((id) => !moved.has(id))
}
