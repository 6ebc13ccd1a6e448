import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../database/connection.ts'
import { isSettled } from '../../findings/verdicts/settled.ts'
import { columnOf, uuidList } from '../../platform/postgres/columns.ts'
import { addEntries, system, type NewEntry } from '../record/timeline.ts'
import { shownMatches } from './affected.ts'
import { selectJudgedParts, type JudgedPart } from './judged-parts.ts'

type Changed = {
  incidentId: string
  kind: 'left_sbom' | 'back_in_sbom' | 'unnamed' | 'named_again' | 'declared' | 'undeclared'
  /** For the last two: the verdict given or ended; without a document it is a member's. */
  verdict: string | null
  documentId: string | null
  document: string | null
  /** The member, while the verdict is in force. */
  by: string | null
  version: string | null
  component: string
  componentVersion: string | null
  purl: string | null
}

type Families = { workspaceId: string; familyIds: readonly string[] }

/**
 * Notes on the open incidents of these families which of their components have left the active SBOM of their version or come back, which no record
 * names any more, or one does again, and which have been declared not affected or fixed, or no longer are. The last note is stored with them, so that each change is noted once. Another
 * document with the same verdict is no change.
 */
export async function noteChanges(
  tx: Tx,
  { workspaceId, familyIds, now }: Families & { now: Date },
): Promise<void> {
  if (!(await isAnyOpen(tx, { workspaceId, familyIds }))) return
  const parts = await selectJudgedParts(tx, { workspaceId, familyIds, now })
  const { rows } = await sql<Changed>`
    with ${presentState({ workspaceId, familyIds }, parts)},
    difference as materialized (
      select *, is_present = noted_gone as is_moved, is_unnamed <> noted_unnamed as is_turned,
        verdict is distinct from noted_verdict
          or (verdict is not null and (document_id is null) <> (noted_document_id is null)) as is_said
      from present_state
      where is_present = noted_gone or is_unnamed <> noted_unnamed
        or (verdict, document_id) is distinct from (noted_verdict, noted_document_id)
    ),
    noted as (
      update incident_affected a
      set noted_gone = not d.is_present, noted_unnamed = d.is_unnamed, noted_verdict = d.verdict, noted_document_id = d.document_id
      from difference d
      where a.incident_id = d.incident_id and a.family_id = d.family_id and a.version_id is not distinct from d.version_id
        and a.identity_id = d.identity_id
    ),
    changed as (
      select *, case when is_present then 'back_in_sbom' else 'left_sbom' end as kind,
        null as said, null::uuid as said_by, null::uuid as decided_by
      from difference where is_moved
      union all
      select *, case when is_unnamed then 'unnamed' else 'named_again' end, null, null, null from difference where is_turned
      union all
      select *, case when verdict is null then 'undeclared' else 'declared' end, coalesce(verdict, noted_verdict),
        case when verdict is null then noted_document_id else document_id end, decision_id
      from difference where is_said
    )
    select c.incident_id as "incidentId", c.kind, c.said as verdict, c.said_by as "documentId",
      coalesce(x.document_id, x.id::text) as document, v.decided_by_name as by, c.version, c.component,
      c.component_version as "componentVersion", c.purl
    from changed c
    left join vex_document x on x.id = c.said_by
    left join verdict_decision v on v.id = c.decided_by
    order by c.incident_id, c.kind desc, c.said, c.said_by, c.version, c.component, c.identity_id`.execute(tx)
  await addEntries(tx, linesOf(rows, { workspaceId, now }))
}

/** Planning the comparing statement takes longer than this check, and most families have no incident. Index incident_family_of. */
async function isAnyOpen(tx: Tx, { workspaceId, familyIds }: Families): Promise<boolean> {
  const { rows } = await sql`
    select from incident_family
    where workspace_id = ${workspaceId} and family_id = any(${uuidList(familyIds)}) and is_open
    limit 1`.execute(tx)
  return rows.length > 0
}

/**
 * The common table expression `present_state`: the components that open incidents of the families are about, as noted and as they are. For
 * a component without an open finding all we know is whether the SBOM has it, and whether it was a record that ended it: what was declared stays as noted, and
 * so does that no record names it, until one does. `parts`: verdicts that count instead of
 * those on the notice. Indexes incident_family_of, incident_affected_subject, finding_subject, component_of_identity, sbom_active.
 */
function presentState(
  { workspaceId, familyIds }: Families,
  parts: readonly JudgedPart[],
): RawBuilder<unknown> {
  return sql`
    concerned as materialized (
      select a.*
      from incident_family y
      join family p on p.id = y.family_id and p.archived_at is null and p.deleted_at is null
      join incident_affected a on a.incident_id = y.incident_id and a.family_id = y.family_id
      where y.workspace_id = ${workspaceId} and y.family_id = any(${uuidList(familyIds)}) and y.is_open
    ),
    named as materialized (
      select k.vuln_key, array(
        select v.group_id from alias_assertion n join vulnerability v on v.id = n.vulnerability_id
        where n.other_id = k.vuln_key and n.relation in ('self', 'alias', 'upstream')
      ) as group_ids
      from (select distinct vuln_key from concerned) k
    ),
    ${judgedParts(parts)},
    present_state as materialized (
      select a.incident_id, a.family_id, a.version_id, a.identity_id, a.version, a.component, a.component_version, a.purl,
        a.noted_gone, a.noted_unnamed, a.noted_verdict, a.noted_document_id,
        case when j.group_id is null then f.decision_id else j.decision_id end as decision_id,
        case when f.id is null then a.noted_verdict when j.group_id is null then f.verdict else j.verdict end as verdict,
        case when f.id is null then a.noted_document_id when j.group_id is null then f.document_id else j.document_id end as document_id,
        p.is_present,
        f.id is null and (a.noted_unnamed or (p.is_present and (${isEndedByData(sql`f.version_id = a.version_id`)}
          or (a.version_id is null and ${isEndedByData(sql`f.version_id is null`)})))) as is_unnamed
      from concerned a
      join named n on n.vuln_key = a.vuln_key
      left join lateral (
        select * from (
          ${openFinding(sql`f.version_id = a.version_id`)}
          union all
          ${openFinding(sql`a.version_id is null and f.version_id is null`)}
        ) found
        order by group_id <> a.group_id, id limit 1
      ) f on true
      left join judged_part j on j.family_id = a.family_id and j.version_id is not distinct from a.version_id
        and j.identity_id = a.identity_id and j.group_id = f.group_id and j.vuln_key = a.vuln_key
      cross join lateral (
        select case when f.id is not null then true else exists (
          select from sbom s
          join component c on c.family_id = s.family_id and c.identity_id = a.identity_id and c.number = any(s.component_numbers)
          where s.family_id = a.family_id and s.version_id is not distinct from a.version_id and s.active
        ) end as is_present
      ) p
    )`
}

/** The findings of a component `a` of an incident, in the groups of its vulnerability `n`. */
const findingsOf = (isVersion: RawBuilder<boolean>) => sql`
  from finding f
  where f.family_id = a.family_id and ${isVersion} and f.identity_id = a.identity_id
    and f.group_id = any(n.group_ids || a.group_id)`

const openFinding = (isVersion: RawBuilder<boolean>) => sql`
  select f.id, f.group_id, case when ${isSettled('f')} then f.verdict end as verdict,
    case when ${isSettled('f')} then f.verdict_document_id end as document_id,
    case when ${isSettled('f')} then f.verdict_decision_id end as decision_id
  ${findingsOf(isVersion)} and f.closed_at is null`

const isEndedByData = (isVersion: RawBuilder<boolean>) =>
  sql`exists (select ${findingsOf(isVersion)} and f.ended_by_data)`

/** The common table expression `judged_part`: those that declare something, and the others with nulls. */
function judgedParts(parts: readonly JudgedPart[]): RawBuilder<unknown> {
  const isSaid = ({ verdict }: JudgedPart) => verdict === 'not_affected' || verdict === 'fixed'
  return sql`
    judged_part (family_id, version_id, identity_id, group_id, vuln_key, verdict, document_id, decision_id) as materialized (
      select * from unnest(
        ${columnOf(parts, 'uuid', ({ familyId }) => familyId)},
        ${columnOf(parts, 'uuid', ({ versionId }) => versionId)},
        ${columnOf(parts, 'uuid', ({ identityId }) => identityId)},
        ${columnOf(parts, 'bigint', ({ groupId }) => groupId)},
        ${columnOf(parts, 'text', ({ vulnKey }) => vulnKey)},
        ${columnOf(parts, 'text', (part) => (isSaid(part) ? part.verdict : null))},
        ${columnOf(parts, 'uuid', (part) => (isSaid(part) ? part.document_id : null))},
        ${columnOf(parts, 'uuid', (part) => (isSaid(part) ? part.decision_id : null))}
      )
    )`
}

/** One line in each incident for all of its components with the same change, by the same statement. */
function linesOf(
  rows: readonly Changed[],
  { workspaceId, now }: { workspaceId: string; now: Date },
): NewEntry[] {
  const together = Map.groupBy(rows, ({ incidentId, kind, verdict, documentId, by }) =>
    JSON.stringify([incidentId, kind, verdict, documentId, by]),
  )
  return [...together.values()].flatMap((same) => {
    const [first] = same
    if (first === undefined) return []
    const { incidentId, kind, verdict, documentId, document, by } = first
    const said = kind === 'declared' || kind === 'undeclared' ? { verdict, documentId, document, by } : {}
    const matches = same.slice(0, shownMatches).map(({ version, component, componentVersion, purl }) => ({
      version,
      component,
      componentVersion,
      purl,
    }))
    return [
      {
        workspaceId,
        incidentId,
        at: now,
        kind,
        actor: system,
        data: { ...said, matches, count: same.length },
      },
    ]
  })
}
