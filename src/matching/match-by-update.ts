import { sql } from 'kysely'
import type { GradeReason } from '../contract/findings/shapes.ts'
import type { Tx } from '../database/connection.ts'
import { cpeAttribute } from '../identities/cpe-reading.ts'
import { orderingOf } from '../versions/ordering.ts'
import { keysOfIdentities } from './identity-keys.ts'
import { snapshotInStream, streamDoubt, streamsMeet, streamsOfPair } from './streams.ts'
import type { FoundMatch } from './write-matches.ts'

type Candidate = {
  identity_id: string
  number: number
  vulnerability_id: number
  range_id: number
  doubt: GradeReason | null
  /** The version without its update, or the snapshot that is compared as a tag. */
  version: string
  listed: string
}

/**
 * Matches products named by CPE with an update (`1.0:sp1`) with the one version that a name lists without saying which update: any update
 * is one of it (NISTIR 7696, 6.1.2). Their own version is the release with the update, which is another place in the order. Snapshots are matched with
 * the names that list the very same.
 */
export async function matchByUpdate(tx: Tx, identityIds: readonly string[]): Promise<FoundMatch[]> {
  if (identityIds.length === 0) return []
  const { compare } = orderingOf('generic')
  return (await selectCandidates(tx, identityIds))
    .filter(({ version, listed }) => version === listed || compare(version, listed) === 0)
    .map(({ identity_id, number, vulnerability_id, range_id, doubt }) => ({
      identityId: identity_id,
      keyNumber: number,
      vulnerabilityId: vulnerability_id,
      rangeId: range_id,
      doubt,
    }))
}

const attribute = (stream: 's.stream' | 'r.stream') =>
  sql`split_part(${sql.ref(stream)}, ${sql.lit(cpeAttribute.separator)}, ${sql.lit(cpeAttribute.update)})`

/** Index affected_range_package. */
async function selectCandidates(tx: Tx, identityIds: readonly string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select s.id as identity_id, s.number, r.vulnerability_id, r.id as range_id, coalesce(r.doubt, ${streamDoubt(streamsOfPair)}) as doubt,
      coalesce(nullif(s.snapshot, ''), left(s.version, -length(s.update) - 1)) as version, r.introduced as listed
    from (
      select s.*, ${attribute('s.stream')} as update, ${snapshotInStream('s')} as snapshot
      from (${keysOfIdentities(identityIds)}) s
      where s.scheme = 'generic'
        and s.decidability in ('covered', 'uncomparable')
    ) s
    join affected_range r on r.package_key = s.package_key and r.release = s.release and r.scheme = s.scheme
    where (s.snapshot <> '' or s.update not in ('', '-') and right(s.version, length(s.update) + 1) = '-' || s.update)
      and r.kind = 'listed' and ${attribute('r.stream')} in ('', ${sql.lit(cpeAttribute.pattern)}) and ${streamsMeet(streamsOfPair)}`.execute(
    tx,
  )
  return rows
}
