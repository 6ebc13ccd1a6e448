import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { shownTitle } from '../../findings/shown-title.ts'
import { isName, isSoleMapping, lookedUp } from '../../findings/verdicts/names-of-group.ts'
import type { StatedComponent } from '../../vex/binding/bind-target.ts'
import { isInScope, type DocumentScope } from './stored-statement.ts'

/** Findings read for one statement: what a page can show of a statement on a vulnerability that everything has. */
const readFindings = 200

export type ClaimedFinding = StatedComponent & {
  number: number
  id: string
  title: string
  component: string
  product_version: string | null
  version_id: string | null
  decides: boolean
  /** It has a verdict in force, of whatever origin. */
  is_decided: boolean
}

/** The open findings on the vulnerabilities that statements name, one row for each of their components; at most 200 rows a statement. */
export async function selectClaimedFindings(
  db: Db,
  scope: DocumentScope,
  statements: readonly number[],
): Promise<ClaimedFinding[]> {
  const { rows } = await sql<ClaimedFinding>`
    with claimed_group as materialized (
      select distinct c.number, v.group_id
      from vex_claim c
      cross join lateral (
        select ${lookedUp('c.vulnerability_id')} as id
        union
        select m.cve_id from euvd_mapping m where m.euvd_id = ${lookedUp('c.vulnerability_id')} and ${isSoleMapping('m')}
      ) n
      join alias_assertion a on a.other_id = n.id and ${isName('a')}
      join vulnerability v on v.id = a.vulnerability_id and v.withdrawn_at is null
      where c.document_id = ${scope.documentId} and c.number = any(${[...statements]}::int[])
    ),
    found as (
      select k.number, f.id, ${shownTitle('g.title_id')} as title, f.family_id, f.identity_id, f.version_id,
        coalesce(f.verdict_document_id = ${scope.documentId}::uuid and f.verdict_statement = k.number, false) as decides,
        f.verdict is not null as is_decided
      from claimed_group k
      join finding f on f.group_id = k.group_id and f.closed_at is null
      join vulnerability_group g on g.id = f.group_id
      where f.workspace_id = ${scope.workspaceId} and f.family_id = ${scope.familyId} and ${isInScope('f.version_id', scope)}
    ),
    part as (
      select f.number, f.id, f.title, f.decides, f.is_decided, concat_ws(' ', c.name, c.version) as component, p.name as product_version,
        f.version_id, c.version, c.purl, c.cpe, c.other_names, c.concluded_cpes, row_number() over (partition by f.number order by not f.decides, f.id, c.number) as place
      from found f
      join component c on c.family_id = f.family_id and c.identity_id = f.identity_id
      left join product_version p on p.id = f.version_id
    )
    select number, id, title, decides, is_decided, component, product_version, version_id, version, purl, cpe, other_names, concluded_cpes
    from part
    where place <= ${readFindings}
    order by number, place`.execute(db)
  return rows
}
