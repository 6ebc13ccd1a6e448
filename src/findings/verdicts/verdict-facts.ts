import { sql, type RawBuilder } from 'kysely'
import { prepared } from '../../platform/postgres/prepared.ts'
import type { Justification, Verdict, VexVersionRange } from '../../contract/vex/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import type { StatedCarrier } from '../../vex/binding/bind-carrier.ts'
import type { StatementTarget } from '../../vex/binding/bind-statements.ts'
import type { StatedComponent } from '../../vex/binding/bind-target.ts'
import type { StandingDecision } from '../../vex/decisions/decide-verdict.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { namesAndParts } from './names-of-group.ts'
import { isSbomOf, isVersion, type VersionSlot, type VersionView } from '../version-slot.ts'

/** Whether a verdict can be in force in a version at all: most families have neither documents nor decisions. */
export async function mayHaveVerdicts(db: Db, { workspaceId, familyId }: VersionSlot): Promise<boolean> {
  return (await selectWithVerdicts(db, { workspaceId, familyIds: [familyId] })).size > 0
}

/** The same of several families: those that may have any. */
export async function selectWithVerdicts(
  db: Db,
  { workspaceId, familyIds }: { workspaceId: string; familyIds: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select f.id
    from unnest(${uuidList(familyIds)}) f (id)
    where exists (select from vex_document where workspace_id = ${workspaceId} and family_id = f.id)
      or exists (select from verdict_decision where family_id = f.id)
    ${prepared}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

export type JudgedFinding = {
  id: string
  identity_id: string
  group_id: number
  /** The key by which decisions know the package. */
  package_key: string
  verdict: Verdict | null
  justification: Justification | null
  decision_id: string | null
  document_id: string | null
  statement: number | null
  since: Date | null
  isExploited: boolean
}

/** Groups to look at; null: those of all open findings of the version. */
export type GroupChoice = readonly number[] | null

/** What a verdict is determined for. */
export type JudgedSubject = Pick<JudgedFinding, 'identity_id' | 'group_id' | 'package_key'>

/** The open findings of a version with the verdict stored on each. Index finding_subject. */
export async function selectJudged(
  db: Db,
  slot: VersionSlot,
  groupIds: GroupChoice,
): Promise<JudgedFinding[]> {
  const { rows } = await sql<JudgedFinding>`
    select f.id, f.identity_id, f.group_id, coalesce(i.package_key, i.subject) as package_key, f.verdict, f.verdict_justification as justification,
      f.verdict_decision_id as decision_id, f.verdict_document_id as document_id, f.verdict_statement as statement,
      f.verdict_since as since, f.exploited_by <> '{}' as "isExploited"
    from finding f
    join component_identity i on i.id = f.identity_id
    where ${isOpenIn(slot)} and ${groupIds === null ? sql`true` : sql`f.group_id = any(${groupIds}::bigint[])`}`.execute(
    db,
  )
  return rows
}

function isOpenIn({ workspaceId, familyId, versionId }: VersionSlot): RawBuilder<boolean> {
  return sql<boolean>`f.workspace_id = ${workspaceId} and f.family_id = ${familyId}
    and ${isVersion('f.version_id', versionId)} and f.closed_at is null`
}

function groupsOf(slot: VersionSlot, groupIds: GroupChoice): RawBuilder<unknown> {
  return groupIds === null
    ? sql`select distinct f.group_id from finding f where ${isOpenIn(slot)}`
    : sql`select unnest(${groupIds}::bigint[])`
}

/** `part`: one of the CVEs of a notice on several (`namesAndParts`). */
export type GroupTarget = StatementTarget & { groupId: number; part: string | null }

type StoredTarget = {
  group_id: number
  part: string | null
  document_id: string
  number: number
  verdict: Verdict
  justification: Justification | null
  stated_at: Date | null
  received_at: Date
  is_for_version: boolean
  kind: 'component' | 'product'
  purl: string | null
  cpe: string | null
  versions: VexVersionRange[] | null
  carriers: StatedCarrier[] | null
}

/**
 * What the documents in force for a version say about the vulnerabilities of its findings, one row for each target. A document of
 * an SBOM is in force while that SBOM is the active one. A BOM-Link to the main component of an SBOM means that SBOM's version.
 * Index vex_claim_vulnerability.
 */
export async function selectStatementTargets(
  db: Db,
  slot: VersionView,
  groupIds: GroupChoice,
): Promise<GroupTarget[]> {
  const { rows } = await sql<StoredTarget>`
    with ${namesAndParts(groupsOf(slot, groupIds))},
    document as materialized (${documentsInForce(slot)}),
    claimed as (
      select distinct n.group_id, n.part, c.document_id, c.number
      from group_name n
      join vex_claim c on c.family_id = ${slot.familyId} and c.vulnerability_id = n.id
    )
    select k.group_id, k.part, k.document_id, k.number, s.verdict, s.justification, s.stated_at, d.received_at, d.is_for_version,
      case when t.kind = 'product' or l.is_product then 'product' else 'component' end as kind,
      coalesce(l.purl, t.purl) as purl, coalesce(l.cpe, t.cpe) as cpe, t.versions,
      case when t.kind <> 'bom_link' then t.carriers when b.id is not null then ${carrierOfLink('b', 'bv')} end as carriers
    from claimed k
    join document d on d.id = k.document_id
    join vex_statement s on s.document_id = k.document_id and s.number = k.number and s.kind = 'statement'
    join vex_target t on t.document_id = k.document_id and t.number = k.number
    left join vex_link l on t.kind = 'bom_link'
      and l.document_id = t.document_id and l.number = t.number and l.place = t.place
    left join sbom b on b.id = l.sbom_id
    left join product_version bv on bv.family_id = b.family_id and bv.id = b.version_id
    where l.is_product is not true or ${isVersion('b.version_id', slot.versionId)}`.execute(db)
  return rows.map((row) => ({
    groupId: row.group_id,
    part: row.part,
    documentId: row.document_id,
    number: row.number,
    verdict: row.verdict,
    justification: row.justification,
    statedAt: row.stated_at,
    receivedAt: row.received_at,
    isForVersion: row.is_for_version,
    kind: row.kind,
    ...(row.purl === null ? {} : { purl: row.purl }),
    ...(row.cpe === null ? {} : { cpe: row.cpe }),
    ...(row.versions === null ? {} : { versions: row.versions }),
    ...(row.carriers === null ? {} : { carriers: row.carriers }),
  }))
}

/** What a BOM-Link leads to is in the main component of a row of `sbom`, in the version of the product that it is of. */
export function carrierOfLink(sbom: string, version: string): RawBuilder<unknown> {
  const [b, v] = [sql.ref(sbom), sql.ref(version)]
  return sql`jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('purl', ${b}.main_component ->> 'purl',
    'cpe', ${b}.main_component ->> 'cpe', 'version', coalesce(${b}.main_component ->> 'version', ${v}.name),
    'slot', coalesce(${b}.version_id::text, ''))))`
}

/** The documents whose statements count in a version. */
export function documentsInForce(view: VersionView): RawBuilder<unknown> {
  const { workspaceId, familyId, versionId } = view
  return sql`
    select d.id, d.received_at, d.version_id is not null or d.sbom_id is not null as is_for_version
    from vex_document d
    left join sbom s on s.id = d.sbom_id
    where d.workspace_id = ${workspaceId} and d.family_id = ${familyId}
      and d.replaced_by is null and d.withdrawn_at is null
      and case
        when d.sbom_id is not null then ${isSbomOf(view)}
        else d.version_id is null or ${isVersion('d.version_id', versionId)}
      end`
}

export type JudgedComponent = StatedComponent & { identity_id: string }

/**
 * The components of the SBOM that are these identities, those that say the same of themselves once. The list is a constant of
 * the statement, so that the server hashes it; without statistics a join would be a nested loop.
 */
export async function selectJudgedComponents(
  db: Db,
  view: VersionView,
  identityIds: readonly string[],
): Promise<JudgedComponent[]> {
  const { rows } = await sql<JudgedComponent>`
    select distinct c.identity_id, c.version, c.purl, c.cpe, c.other_names, c.concluded_cpes
    from sbom s
    cross join ${componentsOfSbom('s')}
    where ${isSbomOf(view)} and c.identity_id = any(${uuidList(identityIds)})`.execute(db)
  return rows
}

export type SubjectDecision = StandingDecision & { groupId: number; part: string | null; packageKey: string }

/** The decisions in force at a time for a version, on the vulnerabilities of its findings. Index verdict_decision_standing. */
export async function selectStandingDecisions(
  db: Db,
  slot: VersionSlot,
  { now, groupIds }: { now: Date; groupIds: GroupChoice },
): Promise<SubjectDecision[]> {
  const { rows } = await sql<SubjectDecision>`
    with ${namesAndParts(groupsOf(slot, groupIds))}
    select n.group_id as "groupId", n.part, d.package_key as "packageKey", d.id, d.verdict, d.justification,
      not d.every_version as "isForVersion", d.decided_at as "decidedAt"
    from verdict_decision d
    join group_name n on n.id = d.vulnerability_id
    where d.workspace_id = ${slot.workspaceId} and d.family_id = ${slot.familyId} and d.ended_at is null
      and (d.expires_at is null or d.expires_at > ${now}::timestamptz)
      and (d.every_version or ${isVersion('d.version_id', slot.versionId)})`.execute(db)
  return rows
}

/** The CVEs of each group that is a notice of several. */
export async function selectNoticeParts(db: Db, groupIds: readonly number[]): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; cves: string }>`
    select id, cves from vulnerability_group where id = any(${groupIds}::bigint[]) and cves like '% %'`.execute(
    db,
  )
  return new Map(rows.map(({ id, cves }) => [id, cves.split(' ')]))
}

/** The groups of open findings of a version that are notices of several CVEs, one of these groups among them. */
export async function selectNoticesAbout(
  db: Db,
  slot: VersionSlot,
  groupIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ group_id: number }>`
    with spoken as materialized (
      select array_agg(title_id) as cves from vulnerability_group
      where id = any(${groupIds}::bigint[]) and title_id like 'CVE-%'
    )
    select distinct f.group_id
    from finding f
    join vulnerability_group g on g.id = f.group_id and g.cves like '% %'
    where ${isOpenIn(slot)} and string_to_array(g.cves, ' ') && (select cves from spoken)`.execute(db)
  return rows.map((row) => row.group_id)
}
