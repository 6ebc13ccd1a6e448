import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database/connection.ts'
import { orderingOf, type VersionScheme } from '../versions/ordering.ts'
import { customFixOf } from '../records/osv/custom-fix.ts'

/** The lowest version that fixes a finding, null when none is known, and the others, the lowest first. */
export type Fixes = { fixedIn: string | null; otherFixes: string[] }

/** For malware, whatever its records call fixed: it is removed, never updated. */
export const noFixes: Fixes = { fixedIn: null, otherFixes: [] }

type Subject = { identityId: string; groupId: number }
type StoredFix = { identity_id: string; group_id: number; scheme: VersionScheme; fixed: string }
type CustomFix = {
  identity_id: string
  group_id: number
  package_key: string
  record_id: string
  document: string
}

/**
 * The version that fixes each finding: of several the lowest one. null when no record names one, when the component's version or release
 * is unknown, and for malware, whatever its records call fixed: it is removed, never updated.
 */
export async function selectFixedVersions(
  db: Db,
  subjects: readonly Subject[],
): Promise<(subject: Subject) => string | null> {
  const fixesOf = await selectFixes(db, subjects)
  return (subject) => fixesOf(subject).fixedIn
}

/**
 * The versions that fix findings, each once and the lowest first: the ends of the ranges that contain the component's version, so that the
 * fix of another branch, package or release is never shown. Where none follows the order of the ecosystem, the fix in the project's own
 * versions. None when no record names one, when the component's version or release is unknown, and for malware.
 */
export async function selectFixes(
  db: Db,
  subjects: readonly Subject[],
): Promise<(subject: Subject) => Fixes> {
  const { rows } = await sql<StoredFix>`
    select distinct s.identity_id, s.group_id, r.scheme, r.upper_text as fixed
    from ${matchesOf(subjects)}
    join affected_range r on r.id = m.range_id
    where r.kind = 'range' and r.upper_text is not null and not r.upper_included`.execute(db)
  const stored = Map.groupBy(rows, ({ identity_id: identityId, group_id: groupId }) =>
    keyOf({ identityId, groupId }),
  )
  const known = new Map([...stored].map(([key, fixes]) => [key, lowestFirst(fixes)]))
  const missing = subjects.filter((subject) => !known.has(keyOf(subject)))
  const custom = await selectCustomFixes(db, missing)
  return (subject) => {
    const [fixedIn, ...otherFixes] = known.get(keyOf(subject)) ?? []
    return { fixedIn: fixedIn ?? custom.get(keyOf(subject)) ?? null, otherFixes }
  }
}

/** Which of these groups are malware. */
export async function selectMalware(db: Db, groupIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (groupIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select id from vulnerability_group where id = any(${groupIds}::bigint[]) and is_malware`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Where the version is known, and of what is no malware: each subject (`s`), the matches of its identity (`m`), and their records in its group (`v`). */
function matchesOf(subjects: readonly Subject[]): RawBuilder<unknown> {
  return sql`unnest(
      ${subjects.map((subject) => subject.identityId)}::uuid[], ${subjects.map((subject) => subject.groupId)}::bigint[]
    ) as s (identity_id, group_id)
    join vulnerability_group g on g.id = s.group_id and not g.is_malware
    join component_identity i on i.id = s.identity_id and i.decidability = 'covered'
    join identity_match m on m.identity_id = i.id
    join vulnerability v on v.id = m.vulnerability_id and v.group_id = s.group_id and v.withdrawn_at is null`
}

async function selectCustomFixes(db: Db, subjects: readonly Subject[]): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map()
  const { rows } = await sql<CustomFix>`
    select distinct s.identity_id, s.group_id, r.package_key, v.record_id, v.document
    from ${matchesOf(subjects)}
    join affected_range r on r.id = m.range_id and r.doubt = 'custom_range'
    order by s.identity_id, s.group_id, v.record_id`.execute(db)
  const fixes = new Map<string, string>()
  for (const { identity_id, group_id, package_key, record_id: recordId, document } of rows) {
    const key = keyOf({ identityId: identity_id, groupId: group_id })
    const fix = customFixOf({ recordId, document }, package_key)
    if (fix !== null && !fixes.has(key)) fixes.set(key, fix)
  }
  return fixes
}

/** Of two spellings of one version, such as 1.0 and 1.0.0, the first one that is found stays. */
function lowestFirst(fixes: readonly StoredFix[]): string[] {
  const order = (one: StoredFix, other: StoredFix) => orderingOf(one.scheme).compare(one.fixed, other.fixed)
  const sorted = fixes.toSorted((one, other) => order(one, other) || (one.fixed < other.fixed ? -1 : 1))
  return sorted
    .filter((fix, at) => {
      const before = sorted[at - 1]
      return before === undefined || order(before, fix) !== 0
    })
    .map(({ fixed }) => fixed)
}

function keyOf({ identityId, groupId }: Subject): string {
  return `${identityId} ${groupId}`
}
