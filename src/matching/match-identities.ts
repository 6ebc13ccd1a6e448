import { sql } from 'kysely'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { matchByComparator } from './match-by-comparator.ts'
import { matchByList } from './match-by-list.ts'
import { matchByUpdate } from './match-by-update.ts'
import { keysOfIdentities } from './identity-keys.ts'
import { bucketOf, lockPackages } from './locks.ts'
import {
  joinMatchChanges,
  noMatchChanges,
  writeMatches,
  type KeyTraits,
  type MatchChanges,
} from './write-matches.ts'

/** What decides an identity: byte keys in SQL, the scheme's comparator, or the records' own lists of versions. */
type Matcher = 'key' | 'comparator' | 'list' | 'none'
type Subject = {
  id: string
  /** Of all its keys. */
  buckets: number[]
}
type Keys = KeyTraits & {
  id: string
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
  const identityIds = subjects.map(({ id }) => id)
  return transact(db, async (tx) => {
    await sql`select set_config('work_mem', ${workMemory}, true)`.execute(tx)
    await lockPackages(
      tx,
      subjects.flatMap(({ buckets }) => buckets),
    )
    // Under the locks: an import may have covered an ecosystem since, and matched its identities before this run.
    const keys = await selectKeys(tx, identityIds)
    const compared = [
      ...(await matchByComparator(tx, idsOf(keys, 'comparator'))),
      ...(await matchByList(tx, idsOf(keys, 'list'))),
      ...(await matchByUpdate(
        tx,
        keys.filter(({ isNarrowed }) => isNarrowed).map(({ id }) => id),
      )),
    ]
    return writeMatches(tx, { identityIds, traits: traitsOf(keys), compared, now })
  })
}

function idsOf(keys: readonly Keys[], matcher: Matcher): string[] {
  return keys.filter(({ matchers }) => matchers.includes(matcher)).map(({ id }) => id)
}

function traitsOf(keys: readonly Keys[]): KeyTraits {
  const some = (trait: keyof KeyTraits) => keys.some((one) => one[trait])
  return {
    isCovered: some('isCovered'),
    isUnversioned: some('isUnversioned'),
    isUncomparable: some('isUncomparable'),
    isGeneric: some('isGeneric'),
    isDpkg: some('isDpkg'),
    isForeign: some('isForeign'),
  }
}

/** In the order of the locks of their first keys. */
async function selectSubjects(db: Db, identityIds: readonly string[]): Promise<Subject[]> {
  const { rows } = await sql<Subject & { bucket: number; package_key: string | null }>`
    select id, min(bucket) filter (where number = 0) as bucket, min(package_key) filter (where number = 0) as package_key,
      array_agg(bucket) as buckets
    from (
      select id, number, package_key, coalesce(${bucketOf('package_key')}, 0) as bucket
      from (${keysOfIdentities(identityIds)}) k
    ) s
    group by id
    order by bucket, package_key, id`.execute(db)
  return rows
}

async function selectKeys(tx: Tx, identityIds: readonly string[]): Promise<Keys[]> {
  const { rows } = await sql<Keys>`
    select id, array_agg(matcher) as matchers, bool_or(is_generic and coalesce(stream, '') <> '') as "isNarrowed",
      bool_or(decidability = 'covered') as "isCovered", bool_or(decidability = 'no_version') as "isUnversioned",
      bool_or(decidability = 'uncomparable') as "isUncomparable", bool_or(is_generic) as "isGeneric",
      bool_or(coalesce(scheme = 'dpkg', false)) as "isDpkg", bool_or(basis = 'foreign_purl') as "isForeign"
    from (
      select id, decidability, basis, scheme, stream, coalesce(scheme = 'generic', false) as is_generic,
        case
          when decidability = 'release_unknown' then 'list'
          when decidability = 'covered' and version_key is null then 'comparator'
          when decidability in ('covered', 'no_version') then 'key'
          else 'none'
        end as matcher
      from (${keysOfIdentities(identityIds)}) k
    ) s
    group by id`.execute(tx)
  return rows
}
