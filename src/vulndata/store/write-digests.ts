import { sql } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { chunksOf, columnOf } from '../../platform/postgres/columns.ts'
import { enqueueAll } from '../../queue/enqueue.ts'
import type { RecordRow } from './record-queries.ts'

/** For many, the components are read once a job. */
const digestsPerJob = 20_000

/** Replaces the digests of packages that malware records state; returns those that came or went. Index malware_digest_vulnerability. */
export async function replaceDigests(
  tx: Tx,
  changedIds: readonly number[],
  written: readonly RecordRow[],
): Promise<string[]> {
  const stated = written.flatMap(({ id, record }) => (record.digests ?? []).map((hash) => ({ id, hash })))
  if (stated.length === 0 && changedIds.length === 0) return []
  const { rows } = await sql<{ hash: string }>`
    with stated as materialized (
      select * from unnest(${columnOf(stated, 'text', ({ hash }) => hash)}, ${columnOf(stated, 'bigint', ({ id }) => id)})
        as s (hash, vulnerability_id)
    ),
    gone as (
      delete from malware_digest d
      where d.vulnerability_id = any(${changedIds}::bigint[])
        and (d.hash, d.vulnerability_id) not in (select hash, vulnerability_id from stated)
      returning d.hash
    ),
    came as (
      insert into malware_digest (hash, vulnerability_id)
      select hash, vulnerability_id from stated order by 1, 2
      on conflict do nothing
      returning hash
    )
    select hash from gone union select hash from came`.execute(tx)
  return rows.map(({ hash }) => hash)
}

/** Those of records that their source no longer has. */
export async function deleteDigests(tx: Tx, vulnerabilityIds: readonly number[]): Promise<string[]> {
  return replaceDigests(tx, vulnerabilityIds, [])
}

export async function selectDigests(tx: Tx, vulnerabilityIds: readonly number[]): Promise<string[]> {
  if (vulnerabilityIds.length === 0) return []
  const { rows } = await sql<{ hash: string }>`
    select distinct hash from malware_digest where vulnerability_id = any(${vulnerabilityIds}::bigint[])`.execute(
    tx,
  )
  return rows.map(({ hash }) => hash)
}

/** Enqueues the look for components with these digests, in the transaction of the change. A kind of its own: an earlier release would drop them. */
export async function enqueueDigests(tx: Tx, digests: ReadonlySet<string>, now: Date): Promise<void> {
  const jobs = [...chunksOf([...digests].sort(), digestsPerJob)].map((some) => ({
    kind: 'match_digests' as const,
    payload: { digests: [...some] },
    runAt: now,
  }))
  await enqueueAll(tx, jobs)
}
