import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { namesDirectly } from '../../findings/refresh/wanted-findings.ts'
import { isSettled } from '../../findings/verdicts/settled.ts'
import { coveredIn, isCovered } from '../../findings/covered.ts'

/**
 * `candidate`: the findings that a person has to judge. An exploited vulnerability may be in a product without that being certain: possible
 * matches of what a catalogue lists, and matches that an entry names only through another record. Of malware, a person decides whether it is a
 * severe incident. Excluded are those declared not affected or fixed, and those that an open incident is about. `dismissed_at`: when a member
 * dismissed it.
 *
 * A list of common table expressions. Indexes finding_exploited, finding_malware, finding_of_group, finding_workspace, vulnerability_of_group,
 * alias_assertion_other, dismissed_match_subject.
 */
export function reviewCandidates(workspaceId: string, family?: string): RawBuilder<unknown> {
  const inFamily = family === undefined ? sql`true` : sql`y.id = ${family}`
  const ofFamilies = sql`y.workspace_id = ${workspaceId} and y.archived_at is null and y.deleted_at is null and ${inFamily}`
  return sql`
    ${coveredIn(workspaceId)},
    unlisted as materialized (
      select distinct f.group_id
      from finding f
      where f.workspace_id = ${workspaceId} and f.closed_at is null and f.exploited_by = '{}'
        and ${family === undefined ? sql`true` : sql`f.family_id = ${family}`}
    ),
    ${loosely},
    unsure as (
      select f.*, f.exploited_by as listed_by, y.name as family
      from family y
      join finding f on f.family_id = y.id and f.closed_at is null and f.exploited_by <> '{}' and f.grade = 'possible'
      where ${ofFamilies}
      union all
      select f.*, n.listed_by, y.name
      from loosely_listed n
      join finding f on f.group_id = n.group_id and f.closed_at is null and f.exploited_by = '{}'
        and f.workspace_id = ${workspaceId}
      join family y on y.id = f.family_id
      where ${ofFamilies}
      union all
      select f.*, f.exploited_by, y.name
      from family y
      join finding f on f.family_id = y.id and f.closed_at is null and f.malware_told_at is not null
      join vulnerability_group g on g.id = f.group_id and g.is_malware
      where ${ofFamilies} and not (f.exploited_by <> '{}' and f.grade = 'possible')
        and not exists (select from loosely_listed n where n.group_id = f.group_id and f.exploited_by = '{}')
    ),
    candidate as materialized (
      select f.id, f.family_id, f.family, f.version_id, f.identity_id, f.group_id, f.listed_by, f.first_seen_at,
        m.dismissed_at, m.dismissed_by_name, m.reason
      from unsure f
      left join dismissed_match m on m.workspace_id = ${workspaceId} and m.family_id = f.family_id
        and m.version_id is not distinct from f.version_id and m.identity_id = f.identity_id and m.group_id = f.group_id
      where not ${isSettled('f')} and not ${isCovered('f')}
    )`
}

/**
 * `loosely_listed (group_id, listed_by)`: of the groups `unlisted`, those with a record that live entries name, if only by an alias it shares with other
 * vulnerabilities. A few groups are looked up; among many, the records that the entries name are.
 */
const loosely = sql`
    entry_name as (
      select cve_id as id, source from exploited where removed_at is null and cve_id is not null
      union
      select euvd_id, source from exploited where removed_at is null and euvd_id is not null
      union
      select p.cve_id, e.source from exploited e join euvd_mapping p on p.euvd_id = e.euvd_id
      where e.removed_at is null and e.cve_id is null
    ),
    loosely_listed as materialized (
      select v.group_id, array_agg(distinct e.source order by e.source) as listed_by
      from unlisted u
      join vulnerability v on v.group_id = u.group_id and v.withdrawn_at is null
      join alias_assertion a on a.vulnerability_id = v.id and (a.relation = 'alias' or ${namesDirectly('a')})
        and (v.class <> 'informational' or not ${namesDirectly('a')})
      join entry_name e on e.id = a.other_id
      group by v.group_id
    )`

/** How many of them were not dismissed. */
export async function countToReview(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with ${reviewCandidates(workspaceId)}
    select count(*) as count from candidate where dismissed_at is null`.execute(db)
  return rows[0]?.count ?? 0
}
