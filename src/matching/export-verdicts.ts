import { sql, type RawBuilder } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { Justification, Verdict } from '../contract/vex.ts'
import type { Db } from '../database/connection.ts'
import type { VexStateEntry } from '../formats/vex/vex-state.ts'
import { stateEntries, type GroupNames, type Judgement } from '../vex/export-state.ts'
import { componentsOfSbom } from '../sbom/components-of-sbom.ts'
import { namesOfGroups } from './names-of-group.ts'

/** `version`: the name of one; null: what holds for every version. */
export type ExportScope = { workspaceId: string; familyId: string; version: string | null }

/** The name of the family and the verdicts in force on its open findings, ready to be written. Codes: `not_found`. */
export async function selectVexEntries(
  db: Db,
  scope: ExportScope,
): Promise<{ familyName: string; entries: VexStateEntry[] }> {
  const family = await selectFamily(db, scope)
  const isInScope = sql<boolean>`f.workspace_id = ${scope.workspaceId} and f.family_id = ${scope.familyId}
    and f.closed_at is null and ${family.versionId === null ? sql`true` : sql`f.version_id = ${family.versionId}`}`
  const parts = await selectParts(db, isInScope)
  const names = await selectNames(db, isInScope)
  return {
    familyName: family.name,
    entries: stateEntries(
      parts.map((part) => ({
        groupId: part.group_id,
        purl: part.purl,
        cpe: part.cpe,
        judgement: judgementOf(part),
      })),
      names,
    ),
  }
}

async function selectFamily(
  db: Db,
  { workspaceId, familyId, version }: ExportScope,
): Promise<{ name: string; versionId: string | null }> {
  const { rows } = await sql<{ name: string; versionId: string | null }>`
    select f.name, p.id as "versionId"
    from family f
    left join product_version p on p.family_id = f.id and p.name = ${version}::text
    where f.workspace_id = ${workspaceId} and f.id = ${familyId} and f.deleted_at is null`.execute(db)
  const [family] = rows
  if (family === undefined || (version !== null && family.versionId === null))
    throw new ServiceError('not_found')
  return family
}

type StoredPart = {
  group_id: number
  purl: string | null
  cpe: string | null
  verdict: Verdict | null
  justification: Justification | null
  decision_id: string | null
  comment: string | null
  impact: string | null
  action: string | null
  at: Date | null
}

/** Each open finding with the components of its version's active SBOM that it is about. */
async function selectParts(db: Db, isInScope: RawBuilder<boolean>): Promise<StoredPart[]> {
  const { rows } = await sql<StoredPart>`
    with judged as materialized (
      select f.family_id, f.version_id, f.identity_id, f.group_id, f.verdict, f.verdict_justification as justification,
        f.verdict_decision_id as decision_id, n.comment, t.impact, t.action,
        coalesce(n.decided_at, t.stated_at, f.verdict_since) as at
      from finding f
      left join verdict_decision n on n.id = f.verdict_decision_id
      left join vex_statement t on t.document_id = f.verdict_document_id and t.number = f.verdict_statement
      where ${isInScope}
    ),
    part as materialized (
      select s.version_id, c.identity_id, c.purl, c.cpe
      from (select distinct family_id, version_id from judged) j
      join sbom s on s.family_id = j.family_id and s.version_id is not distinct from j.version_id and s.active
      cross join ${componentsOfSbom}
      where c.identity_id in (select identity_id from judged)
    )
    select distinct j.group_id, p.purl, p.cpe, j.verdict, j.justification, j.decision_id, j.comment, j.impact, j.action, j.at
    from judged j
    join part p on p.version_id is not distinct from j.version_id and p.identity_id = j.identity_id
    order by j.group_id, p.purl, p.cpe`.execute(db)
  return rows
}

/** A member's comment is the impact of what is not affected, and the action on what is. */
function judgementOf(part: StoredPart): Judgement | null {
  const { verdict, justification, at } = part
  if (verdict === null || at === null) return null
  if (part.decision_id === null) {
    return { verdict, justification, impact: part.impact, action: part.action, at }
  }
  const comment = part.comment === '' ? null : part.comment
  const isAffected = verdict === 'affected'
  return {
    verdict,
    justification,
    impact: isAffected ? null : comment,
    action: isAffected ? comment : null,
    at,
  }
}

const writtenNames = 100

/** A name that several of the vulnerabilities found share, such as the CVE of two notices, would say of one what is meant of another. */
async function selectNames(db: Db, isInScope: RawBuilder<boolean>): Promise<GroupNames> {
  const { rows } = await sql<{ group_id: number; names: string[] }>`
    with ${namesOfGroups(sql`select distinct f.group_id from finding f where ${isInScope}`)},
    own as (
      select id, min(group_id) as group_id from group_name group by id having count(*) = 1
    )
    select o.group_id, array_agg(o.id order by o.id <> g.title_id, o.id) as names
    from own o
    join vulnerability_group g on g.id = o.group_id
    group by o.group_id`.execute(db)
  return new Map(rows.map((row) => [row.group_id, row.names.slice(0, writtenNames)]))
}
