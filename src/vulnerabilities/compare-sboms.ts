import { sql, type RawBuilder } from 'kysely'
import type {
  ComparedSbom,
  ComponentChange,
  FindingChange,
  SbomComparison,
} from '../contract/inventory/shapes.ts'
import type { Catalogue, Grade } from '../contract/findings/shapes.ts'
import type { Severity } from '../contract/sbom/shapes.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import { selectSbom } from '../sbom/select-sbom.ts'
import { componentsOfSbom } from '../sbom/components/components-of-sbom.ts'
import { dueFindings, selectSbomFacts } from '../findings/refresh/refresh-findings.ts'
import { isSbomOf, selectSlot, type SbomKey } from '../findings/version-slot.ts'
import { epssOfGroup } from '../vulndata/reads/epss-of-group.ts'
import { findingSeverity, ownSeverity } from '../findings/own-severity.ts'
import { urgencyBand } from '../findings/reads/finding-query.ts'
import { shownTitle } from '../findings/shown-title.ts'
import { countedOf } from '../findings/reads/distinct-vulnerabilities.ts'
import { listedRecords, wantedFindings } from '../findings/refresh/wanted-findings.ts'

const shownRows = 1000

type Comparison = { workspaceId: string; before: string; after: string }

/**
 * What changed from one SBOM of a workspace to another. Components are compared by what they say of themselves, so that SBOMs
 * of different families compare too; vulnerabilities by the results of today for both. Codes: `not_found`.
 */
export async function compareSboms(db: Db, comparison: Comparison): Promise<SbomComparison> {
  return {
    before: await describeSbom(db, comparison.workspaceId, comparison.before),
    after: await describeSbom(db, comparison.workspaceId, comparison.after),
    components: await compareComponents(db, comparison),
    findings: await compareFindings(db, comparison),
  }
}

async function describeSbom(db: Db, workspaceId: string, sbomId: string): Promise<ComparedSbom> {
  const { id, family, version, receivedAt, components } = await selectSbom(db, workspaceId, sbomId)
  return { id, family: { id: family.id, name: family.name }, version, receivedAt, components }
}

type StoredChange = ComponentChange & { of_kind: number }

/** Of a component in several versions the lowest texts are paired first; what finds no partner was added or removed. */
async function compareComponents(
  db: Db,
  { workspaceId, before, after }: Comparison,
): Promise<SbomComparison['components']> {
  const { rows } = await sql<StoredChange>`
    with old_part as materialized (${describedParts(workspaceId, before)}),
    new_part as materialized (${describedParts(workspaceId, after)}),
    gone as (
      select *, row_number() over (partition by key order by version, purl) as turn
      from (select *, ${keyOfPart} as key from (select * from old_part except select * from new_part) c) o
    ),
    come as (
      select *, row_number() over (partition by key order by version, purl) as turn
      from (select *, ${keyOfPart} as key from (select * from new_part except select * from old_part) c) n
    ),
    paired as (
      select case when g.key is null then 'added' when c.key is null then 'removed' else 'changed' end as change,
        coalesce(c.type, g.type) as type, coalesce(c.group_name, g.group_name) as "group",
        coalesce(c.name, g.name) as name, g.version as "from", c.version as "to", coalesce(c.purl, g.purl) as purl
      from gone g
      full join come c on c.key = g.key and c.turn = g.turn
    ),
    ranked as (
      select *, count(*) over (partition by change) as of_kind,
        row_number() over (partition by change order by lower(name), name, "group", "from", "to", purl) as at
      from paired
    )
    select change, type, "group", name, "from", "to", purl, of_kind
    from ranked
    where at <= ${shownRows}
    order by array_position(array['changed', 'added', 'removed'], change), at`.execute(db)
  const count = (change: ComponentChange['change']) => rows.find((row) => row.change === change)?.of_kind ?? 0
  return {
    added: count('added'),
    removed: count('removed'),
    changed: count('changed'),
    rows: rows.map(({ of_kind: _ofKind, ...row }) => row),
  }
}

/** Of a component `c`, made for those alone that differ: it takes longer than comparing them. */
const keyOfPart = sql`jsonb_build_array(c.type, c.group_name, c.name, split_part(c.purl, '/', 1))::text`

/** The components of an SBOM as they call themselves. */
function describedParts(workspaceId: string, sbomId: string): RawBuilder<unknown> {
  return sql`
    select c.type, c.group_name, c.name, c.version, c.purl
    from sbom s
    cross join ${componentsOfSbom('s')}
    where s.workspace_id = ${workspaceId} and s.id = ${sbomId}`
}

const band = urgencyBand({
  isMalware: sql`g.is_malware`,
  exploitedBy: sql`p.exploited_by`,
  severity: findingSeverity.severity,
})

type StoredFindingChange = {
  change: 'added' | 'removed' | 'kept'
  title: string
  summary: string
  severity: Severity
  score: number | null
  exploited_by: Catalogue[]
  grade: Grade
  name: string
  version: string | null
  of_kind: number
}

async function compareFindings(db: Db, comparison: Comparison): Promise<SbomComparison['findings']> {
  const { rows } = await sql<StoredFindingChange>`
    with ${await pairedVulnerabilities(db, comparison)},
    ranked as (
      select p.change, ${shownTitle('p.key')} as title, g.summary, p.grade,
        ${findingSeverity.severity} as severity, ${findingSeverity.score} as score,
        p.exploited_by,
        p.part[1] as name, p.part[2] as version, count(*) over (partition by p.change) as of_kind,
        row_number() over (
          partition by p.change
          order by ${band}, e.score desc nulls last, p.key
        ) as at
      from known p
      join vulnerability_group g on g.id = p.group_id
      left join ${ownSeverity(sql`p.identity_id`)}
      left join lateral ${epssOfGroup(sql.ref('p.group_id'))} e on p.change <> 'kept'
      where p.change is not null
    )
    select change, title, summary, severity, score, exploited_by, grade, name, version, of_kind
    from ranked
    where at <= case change when 'kept' then 1 else ${shownRows} end
    order by change, at`.execute(db)
  const count = (change: StoredFindingChange['change']) =>
    rows.find((row) => row.change === change)?.of_kind ?? 0
  return {
    added: count('added'),
    removed: count('removed'),
    kept: count('kept'),
    rows: rows.flatMap((row) => (row.change === 'kept' ? [] : [toFindingChange(row, row.change)])),
  }
}

/** Both SBOMs' vulnerabilities with what catalogues list, as common table expressions ending in `known (change, key, …)`. */
async function pairedVulnerabilities(
  db: Db,
  { workspaceId, before, after }: Comparison,
): Promise<RawBuilder<unknown>> {
  return sql`
    ${listedRecords},
    exploited_cve as materialized (
      select id as key, array_agg(source order by source) as exploited_by from listed_id where id like 'CVE-%' group by id
    ),
    old_group as materialized (${await vulnerableGroups(db, { workspaceId, sbomId: before })}),
    new_group as materialized (${await vulnerableGroups(db, { workspaceId, sbomId: after })}),
    old_key as materialized (${countedVulnerabilities('old_group')}),
    new_key as materialized (${countedVulnerabilities('new_group')}),
    known as materialized (
      select case when o.key is null then 'added' when n.key is null then 'removed' else 'kept' end as change,
        key, coalesce(n.group_id, o.group_id) as group_id, coalesce(n.grade, o.grade) as grade, coalesce(n.part, o.part) as part,
        coalesce(n.identity_id, o.identity_id) as identity_id, coalesce(n.exploited_by, o.exploited_by) as exploited_by
      from old_key o
      full join new_key n using (key)
    )`
}

/**
 * The vulnerabilities of an SBOM's findings: each with its surest grade, the catalogues that list any of them, and one of its components, whose
 * severity it has.
 */
async function vulnerableGroups(db: Db, sbom: SbomKey): Promise<RawBuilder<unknown>> {
  const slot = await selectSlot(db, sbom)
  if (slot === undefined) throw new ServiceError('not_found')
  const view = { ...slot, sbomId: sbom.sbomId }
  return sql`
    with part as materialized (
      select c.identity_id, min(array[c.name, c.version]) as part
      from sbom s
      cross join ${componentsOfSbom('s')}
      where ${isSbomOf(view)}
      group by c.identity_id
    ),
    ${wantedFindings},
    ${dueFindings(view, await selectSbomFacts(db, view))}
    select d.group_id, min(d.grade) as grade, min(p.part) as part,
      (array_agg(d.identity_id order by p.part, d.identity_id))[1] as identity_id,
      bool_or('kev' = any(d.exploited_by)) as in_kev, bool_or('euvd' = any(d.exploited_by)) as in_euvd
    from due d
    -- joined in full, which is never done row by row
    full join part p using (identity_id)
    where d.group_id is not null
    group by d.group_id`
}

/**
 * What counts as one vulnerability among `groups`, the CVEs of a notice one by one: told by its own group, else by a notice, which catalogues
 * list only for the CVEs that they name.
 */
function countedVulnerabilities(groups: string): RawBuilder<unknown> {
  return sql`
    select distinct on (key) key, n.group_id, min(n.grade) over same as grade, n.part, n.identity_id,
      array_remove(array[
        case when bool_or(n.in_euvd and (not n.is_notice or 'euvd' = any(c.exploited_by))) over same then 'euvd' end,
        case when bool_or(n.in_kev and (not n.is_notice or 'kev' = any(c.exploited_by))) over same then 'kev' end
      ], null) as exploited_by
    from (
      select k.key, g.cves is not null as is_notice, o.*
      from ${sql.ref(groups)} o
      join vulnerability_group g on g.id = o.group_id
      cross join lateral (select key from ${countedOf('g')}) k
    ) n
    full join exploited_cve c using (key)
    where n.group_id is not null
    window same as (partition by key)
    order by key, n.is_notice, n.group_id`
}

function toFindingChange(row: StoredFindingChange, change: FindingChange['change']): FindingChange {
  const { title, summary, severity, score, exploited_by: exploitedBy, grade, name, version } = row
  return { change, title, summary, severity, score, exploitedBy, grade, component: { name, version } }
}
