import { sql } from 'kysely'
import type { Db } from '../database/connection.ts'
import { orderingOf, type VersionScheme } from '../formats/versions/ordering.ts'
import { customFixOf } from '../vulndata/sources/osv/custom-fix.ts'

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
 * The versions that fix findings: the ends of the ranges that contain the component's version, so that the fix of another
 * branch, package or release is never shown. Of several records the lowest one counts; where none is in the order of the ecosystem, the fix
 * in versions of the project's own. null when none names one, or when the component's version or release is unknown.
 */
export async function selectFixedVersions(
  db: Db,
  subjects: readonly Subject[],
): Promise<(subject: Subject) => string | null> {
  const { rows } = await sql<StoredFix>`
    select distinct s.identity_id, s.group_id, r.scheme, r.upper_text as fixed
    from unnest(
      ${subjects.map((subject) => subject.identityId)}::uuid[], ${subjects.map((subject) => subject.groupId)}::bigint[]
    ) as s (identity_id, group_id)
    join component_identity i on i.id = s.identity_id and i.decidability = 'covered'
    join identity_match m on m.identity_id = i.id
    join vulnerability v on v.id = m.vulnerability_id and v.group_id = s.group_id and v.withdrawn_at is null
    join affected_range r on r.id = m.range_id
    where r.kind = 'range' and r.upper_text is not null and not r.upper_included`.execute(db)
  const lowest = new Map<string, StoredFix>()
  for (const row of rows) {
    const key = keyOf({ identityId: row.identity_id, groupId: row.group_id })
    const known = lowest.get(key)
    if (known === undefined || isLower(row, known)) lowest.set(key, row)
  }
  const missing = subjects.filter((subject) => !lowest.has(keyOf(subject)))
  const custom = await selectCustomFixes(db, missing)
  return (subject) => lowest.get(keyOf(subject))?.fixed ?? custom.get(keyOf(subject)) ?? null
}

async function selectCustomFixes(db: Db, subjects: readonly Subject[]): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map()
  const { rows } = await sql<CustomFix>`
    select distinct s.identity_id, s.group_id, i.package_key, v.record_id, v.document
    from unnest(
      ${subjects.map((subject) => subject.identityId)}::uuid[], ${subjects.map((subject) => subject.groupId)}::bigint[]
    ) as s (identity_id, group_id)
    join component_identity i on i.id = s.identity_id and i.decidability = 'covered'
    join identity_match m on m.identity_id = i.id
    join vulnerability v on v.id = m.vulnerability_id and v.group_id = s.group_id and v.withdrawn_at is null
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

function isLower(one: StoredFix, other: StoredFix): boolean {
  return (orderingOf(one.scheme).compare(one.fixed, other.fixed) ?? 0) < 0
}

function keyOf({ identityId, groupId }: Subject): string {
  return `${identityId} ${groupId}`
}
