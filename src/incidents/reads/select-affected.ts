import { sql } from 'kysely'
import type { AffectedRow } from '../../contract/incidents/shapes.ts'
import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { Db } from '../../database/connection.ts'

const shownRows = 200

/** `2.3.9` before `2.3.10`. */
const collator = new Intl.Collator('en', { numeric: true })

type Stored = {
  familyId: string
  family: string
  version: string | null
  component: AffectedRow['component']
  listedBy: Catalogue[]
  addedAt: Date
  findingId: string | null
  isPresent: boolean
  isUnnamed: boolean
  total: number
}

/**
 * The versions and components that an incident is about, at most 200, with the findings that are there: by family, then as they were added, and
 * those that were added together by version. Indexes incident_affected_subject, finding_subject.
 */
export async function selectAffectedRows(
  db: Db,
  incidentId: string,
): Promise<{ affected: AffectedRow[]; affectedTotal: number }> {
  const { rows } = await sql<Stored>`
    select a.family_id as "familyId", y.name as family, a.version,
      jsonb_build_object('name', a.component, 'version', a.component_version, 'purl', a.purl) as component,
      a.listed_by as "listedBy", a.added_at as "addedAt", f.id as "findingId", coalesce(f.is_open, false) as "isPresent",
      coalesce(not f.is_open and f.ended_by_data, false) as "isUnnamed", a.total
    from (
      select *, count(*) over () as total from incident_affected
      where incident_id = ${incidentId}
      order by added_at, version, component, identity_id, family_id limit ${shownRows}
    ) a
    join family y on y.id = a.family_id
    left join lateral (
      select f.id, f.closed_at is null as is_open, f.ended_by_data from finding f
      where f.family_id = a.family_id and f.version_id is not distinct from a.version_id and f.identity_id = a.identity_id
        and f.group_id in (
          select a.group_id
          union
          select v.group_id from alias_assertion n join vulnerability v on v.id = n.vulnerability_id
          where n.other_id = a.vuln_key and n.relation in ('self', 'alias', 'upstream')
        )
      order by f.closed_at is not null, f.group_id <> a.group_id, f.id limit 1
    ) f on true
    order by a.version, a.component, a.identity_id`.execute(db)
  return {
    affected: rows
      .toSorted(inOrder)
      .map(({ total: _total, addedAt, ...row }) => ({ ...row, addedAt: addedAt.toISOString() })),
    affectedTotal: rows[0]?.total ?? 0,
  }
}

/** What is equal stays in the order of the statement. */
function inOrder(one: Stored, other: Stored): number {
  return (
    collator.compare(one.family, other.family) ||
    one.familyId.localeCompare(other.familyId) ||
    one.addedAt.getTime() - other.addedAt.getTime() ||
    Number(one.version === null) - Number(other.version === null) ||
    collator.compare(one.version ?? '', other.version ?? '')
  )
}
