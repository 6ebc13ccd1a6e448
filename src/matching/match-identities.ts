import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { matchByComparator } from './match-by-comparator.ts'
import { matchByList } from './match-by-list.ts'
import { matchByUpdate } from './match-by-update.ts'
import { keysOfIdentities } from './identity-keys.ts'
import { bucketOf, lockPackages } from './locks.ts'
import { joinMatchChanges, noMatchChanges, writeMatches, type MatchChanges } from './write-matches.ts'

/** What decides an identity: byte keys in SQL, the scheme's comparator, or the records' own lists of versions. */
type Matcher = 'key' | 'comparator' | 'list' | 'none'
type Subject = {
  id: string
  /** Of all its keys. */
  buckets: number[]
  matchers: Matcher[]
  /** A product named by CPE with more than vendor, product and version, such as an update. */
  isNarrowed: boolean
}

type MatchRun = {
  now: Date
  /** Called after each transaction with the number of identities done. */
  onProgress?: (done: number) => void
}

/** Identities of one transaction: one pass over the ranges serves as many as possible, and locks are held for a few seconds at most. */
const identitiesPerTransaction = 25_000

/** Enough for the sorts and hashes of one transaction to stay off the disk. */
const workMemory = '64MB'

/**
 * Works out which vulnerability records affect these identities and stores the results, which belong to no tenant. Results
 * that the run does not confirm are deleted. Opens its own transactions, each after whatever the caller has committed, so
 * that of an upload and an import that happen at once at least one sees the other.
 */
export async function matchIdentities(
  db: Db,
  identityIds: readonly string[],
  { now, onProgress }: MatchRun,
): Promise<MatchChanges> {
  if (identityIds.length === 0) return noMatchChanges
  const subjects = await selectSubjects(db, identityIds)
  let total = noMatchChanges
  for (let start = 0; start < subjects.length; start += identitiesPerTransaction) {
    const slice = subjects.slice(start, start + identitiesPerTransaction)
    const changes = await matchSlice(db, slice, now)
    total = joinMatchChanges(total, changes)
    onProgress?.(start + slice.length)
  }
  return total
}

async function matchSlice(db: Db, subjects: readonly Subject[], now: Date): Promise<MatchChanges> {
  return transact(db, async (tx) => {
    await sql`select set_config('work_mem', ${workMemory}, true)`.execute(tx)
    await lockPackages(
      tx,
      subjects.flatMap((subject) => subject.buckets),
    )
    const compared = [
      ...(await matchByComparator(tx, idsOf(subjects, 'comparator'))),
      ...(await matchByList(tx, idsOf(subjects, 'list'))),
      ...(await matchByUpdate(
        tx,
        subjects.filter(({ isNarrowed }) => isNarrowed).map(({ id }) => id),
      )),
    ]
    return writeMatches(tx, { identityIds: subjects.map((subject) => subject.id), compared, now })
  })
}

function idsOf(subjects: readonly Subject[], matcher: Matcher): string[] {
  return subjects.filter((subject) => subject.matchers.includes(matcher)).map((subject) => subject.id)
}

/** In the order of the locks of their first keys. */
async function selectSubjects(db: Db, identityIds: readonly string[]): Promise<Subject[]> {
  const { rows } = await sql<Subject & { bucket: number; package_key: string | null }>`
    select id, min(bucket) filter (where number = 0) as bucket, min(package_key) filter (where number = 0) as package_key,
      array_agg(bucket) as buckets, array_agg(matcher) as matchers, bool_or(is_narrowed) as "isNarrowed"
    from (
      select id, number, package_key, coalesce(${bucketOf('package_key')}, 0) as bucket,
        case
          when decidability = 'release_unknown' then 'list'
          when decidability = 'covered' and version_key is null then 'comparator'
          when decidability in ('covered', 'no_version') then 'key'
          else 'none'
        end as matcher,
        coalesce(scheme = 'generic' and stream <> '', false) as is_narrowed
      from (${keysOfIdentities(identityIds)}) k
    ) s
    group by id
    order by bucket, package_key, id`.execute(db)
  return rows
}
