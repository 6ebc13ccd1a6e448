import { sql, type RawBuilder } from 'kysely'
import type {
  ComparedSbom,
  ComponentChange,
  FindingChange,
  SbomComparison,
} from '../contract/inventory/shapes.ts'
import type { Catalogue, Grade } from '../contract/findings/shapes.ts'
import type { Severity } from '../contract/sbom/shapes.ts'
import type { Db } from '../database/connection.ts'
import { selectSbom } from '../sbom/select-sbom.ts'
import { basisOfMatch } from '../matching/identity-keys.ts'
import { componentsOfSbom } from '../sbom/components/components-of-sbom.ts'
import { areCpesGuessed, gradeInSbom } from '../findings/refresh/cpe-guesses.ts'
import { foundByHash } from '../findings/refresh/found-by-hash.ts'
import { epssOfGroup } from '../vulndata/reads/epss-of-group.ts'
import { findingSeverity, ownSeverity } from '../findings/own-severity.ts'
import { urgencyBand } from '../findings/reads/finding-query.ts'
import { shownTitle } from '../findings/shown-title.ts'
import { countedOf } from '../findings/reads/distinct-vulnerabilities.ts'
import { ownershipsWhere, suppressedFindings } from '../findings/refresh/owned-components.ts'
import { home, listedRecords } from '../findings/refresh/wanted-findings.ts'

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
  exploitedBy: sql`coalesce(p.exploited_by, '{}')`,
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
    with ${pairedVulnerabilities(comparison)},
    ranked as (
      select p.change, ${shownTitle('p.key')} as title, g.summary, p.grade,
        ${findingSeverity.severity} as severity, ${findingSeverity.score} as score,
        coalesce(p.exploited_by, '{}') as exploited_by,
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
function pairedVulnerabilities({ workspaceId, before, after }: Comparison): RawBuilder<unknown> {
  return sql`
    ${listedRecords},
    exploited_group as materialized (
      select v.group_id, array_agg(distinct l.source order by l.source) as exploited_by
      from listed l
      join vulnerability v on v.id = l.vulnerability_id and v.withdrawn_at is null and v.class <> 'informational'
      group by v.group_id
    ),
    exploited_cve as materialized (
      select id as key, array_agg(source order by source) as exploited_by from listed_id where id like 'CVE-%' group by id
    ),
    old_group as materialized (${vulnerableGroups(workspaceId, before)}),
    new_group as materialized (${vulnerableGroups(workspaceId, after)}),
    old_key as materialized (${countedVulnerabilities('old_group')}),
    new_key as materialized (${countedVulnerabilities('new_group')}),
    paired as materialized (
      select case when o.key is null then 'added' when n.key is null then 'removed' else 'kept' end as change,
        key, coalesce(n.is_notice, o.is_notice) as is_notice, coalesce(n.group_id, o.group_id) as group_id,
        coalesce(n.grade, o.grade) as grade, coalesce(n.part, o.part) as part,
        coalesce(n.identity_id, o.identity_id) as identity_id
      from old_key o
      full join new_key n using (key)
    ),
    -- joined in full, which is never done row by row
    known as materialized (
      select p.*, case when p.is_notice then c.exploited_by else x.exploited_by end as exploited_by
      from paired p
      full join exploited_group x using (group_id)
      full join exploited_cve c on c.key = p.key
    )`
}

/**
 * The vulnerabilities of an SBOM's identities: each with its surest grade and one of its components, whose severity it
 * has. Most identities have no match, so `offset` holds the server to looking up those that have one.
 */
function vulnerableGroups(workspaceId: string, sbomId: string): RawBuilder<unknown> {
  const isIt = sql<boolean>`s.workspace_id = ${workspaceId} and s.id = ${sbomId}`
  const cpesGuessed = sql`(select ${areCpesGuessed(sql.ref('s.tools'))} from sbom s where ${isIt})`
  const grade = gradeInSbom({ grade: sql`m.grade`, basis: basisOfMatch('m', 'i'), cpesGuessed })
  return sql`
    with ${home},
    named as materialized (
      select c.identity_id, min(array[c.name, c.version]) as part
      from sbom s
      cross join ${componentsOfSbom('s')}
      where ${isIt}
      group by c.identity_id
    ),
    wanted as materialized (
      select p.identity_id, v.group_id, min(${grade}) as grade, min(p.part) as part
      from named p
      join identity_match m on m.identity_id = p.identity_id
      join vulnerability v on v.id = m.vulnerability_id and v.withdrawn_at is null
      cross join lateral (select basis, other_ecosystems from component_identity where id = m.identity_id offset 0) i
      group by p.identity_id, v.group_id
    ),
    ownership as materialized (${ownershipsWhere(isIt)}),
    ${suppressedFindings}
    select w.group_id, min(w.grade) as grade, min(w.part) as part,
      (array_agg(w.identity_id order by w.part, w.identity_id))[1] as identity_id
    from (
      select w.* from wanted w
      where not exists (select from suppressed x where x.identity_id = w.identity_id and x.group_id = w.group_id)
      union all
      select identity_id, group_id, 'exact', array[name, version] from (${foundByHash(isIt)}) h
    ) w
    group by w.group_id`
}

/**
 * What counts as one vulnerability among `groups`, the CVEs of a notice one by one: told by its own group, else by a notice, which catalogues
 * list only for the CVEs that they name.
 */
function countedVulnerabilities(groups: string): RawBuilder<unknown> {
  return sql`
    select distinct on (k.key) k.key, g.cves is not null as is_notice, o.group_id, min(o.grade) over (partition by k.key) as grade,
      o.part, o.identity_id
    from ${sql.ref(groups)} o
    join vulnerability_group g on g.id = o.group_id
    cross join lateral (select key from ${countedOf('g')}) k
    order by k.key, g.cves is not null, o.group_id`
}

function toFindingChange(row: StoredFindingChange, change: FindingChange['change']): FindingChange {
  const { title, summary, severity, score, exploited_by: exploitedBy, grade, name, version } = row
  return { change, title, summary, severity, score, exploitedBy, grade, component: { name, version } }
}
