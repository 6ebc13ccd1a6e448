import { sql, type RawBuilder } from 'kysely'
import type { Catalogue } from '../../contract/findings/shapes.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Verdict } from '../../contract/vex/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { shownTitle } from '../../findings/shown-title.ts'
import { areCpesGuessedFor, gradeInSbom } from '../../findings/refresh/cpe-guesses.ts'
import { basisOfMatch } from '../../matching/identity-keys.ts'
import { recordsMetByHash } from '../../vulndata/malware-digests.ts'
import { namesDirectly } from '../../findings/refresh/wanted-findings.ts'
import { namesOfGroups } from '../../findings/verdicts/names-of-group.ts'
import { uuidList } from '../../platform/postgres/columns.ts'

/** An exploited exact match in a family's active SBOM, for one vulnerability that a catalogue lists. */
export type Candidate = {
  findingId: string
  familyId: string
  family: string
  versionId: string | null
  version: string | null
  identityId: string
  groupId: number
  /** The key by which decisions know the package. */
  packageKey: string
  /** The CVE, else the EUVD, GHSA or OSV id. */
  vulnKey: string
  /** The same where the finding is on a notice of several CVEs, this one among them. */
  part: string | null
  /** Every other public id of the vulnerability. */
  aliases: string[]
  listedBy: Catalogue[]
  severity: Severity
  component: string
  componentVersion: string | null
  purl: string | null
  verdict: Verdict | null
  documentId: string | null
  statement: number | null
}

/**
 * `awaitsMatching`: a record of the vulnerability has other ranges than those that matched, and the job that compares them with the component has not
 * run yet.
 */
export type StoredCandidate = Candidate & { awaitsMatching: boolean }

/** Whose, or which. */
type Choice = { familyIds: readonly string[] } | { findingIds: readonly string[] }

/**
 * The exploited exact matches of families that are not archived, in the order of their families and vulnerabilities. A finding on a
 * notice about several listed vulnerabilities is one candidate for each of them. Indexes finding_exploited, identity_match_identity,
 * vulnerability_of_group, affected_range_pkey, exploited_cve, exploited_euvd.
 */
export async function selectCandidates(
  db: Db,
  workspaceId: string,
  choice: Choice,
): Promise<StoredCandidate[]> {
  const isChosen =
    'familyIds' in choice
      ? sql`y.id = any(${uuidList(choice.familyIds)})`
      : sql`f.id = any(${uuidList(choice.findingIds)})`
  const { rows } = await sql<StoredCandidate>`
    with found as (
      select ${findingColumns('f', 'y')}, ${areCpesGuessedFor('f')} as cpes_guessed, ${recordsMetByHash} as met
      from family y
      join finding f on f.family_id = y.id and f.closed_at is null and f.exploited_by <> '{}' and f.grade = 'exact'
      where y.workspace_id = ${workspaceId} and ${isChosen}
        and y.archived_at is null and y.deleted_at is null
    ),
    concerned as materialized (
      select *, dense_rank() over (order by identity_id, group_id, cpes_guessed, met) as subject_id from found
    ),
    ${namesOfGroups(sql`select distinct group_id from concerned`)},
    subject as materialized (select distinct subject_id as id, identity_id, group_id, cpes_guessed, met from concerned),
    ${listings},
    keyed as (
      select subject_id, min(vuln_key) as vuln_key, array_agg(distinct source order by source) as listed_by
      from listing where not is_upstream group by subject_id
      union
      select l.subject_id, l.vuln_key, array_agg(distinct l.source order by l.source)
      from listing l
      where l.is_upstream and not exists (
        select from listing d where d.subject_id = l.subject_id and not d.is_upstream and d.vuln_key = l.vuln_key
      )
      group by l.subject_id, l.vuln_key
    )
    select ${matchColumns}, k.vuln_key as "vulnKey",
      case when g.cves like '% %' and k.vuln_key = any(string_to_array(g.cves, ' ')) then k.vuln_key end as part, k.listed_by as "listedBy",
      array(
        select distinct ${shownTitle('n.id')} as id from group_name n
        where n.group_id = c.group_id and ${shownTitle('n.id')} <> k.vuln_key order by id
      ) as aliases,
      exists (
        select from vulnerability v
        join identity_match m on m.vulnerability_id = v.id and m.identity_id = c.identity_id
        where v.group_id = c.group_id and not exists (select from affected_range r where r.id = m.range_id)
      ) as "awaitsMatching"
    from concerned c
    join keyed k on k.subject_id = c.subject_id
    ${matchJoins(workspaceId)}
    order by c.family_id, k.vuln_key, v.name, c.identity_id`.execute(db)
  return rows
}

/** Of a row of `finding` and one of its family, what `matchColumns` is made of. */
export function findingColumns(finding: string, family: string): RawBuilder<unknown> {
  const [f, y] = [sql.ref(finding), sql.ref(family)]
  return sql`
    ${f}.id, ${f}.family_id, ${y}.name as family, ${f}.version_id, ${f}.identity_id, ${f}.group_id, ${f}.verdict,
    ${f}.verdict_document_id, ${f}.verdict_statement`
}

/** Of `concerned` findings `c` with `matchJoins`: a candidate but for the names of the vulnerability and who lists it. */
export const matchColumns: RawBuilder<unknown> = sql`
  c.id as "findingId", c.family_id as "familyId", c.family, c.version_id as "versionId", v.name as version,
  c.identity_id as "identityId", c.group_id as "groupId", g.severity, coalesce(p.name, i.subject) as component,
  coalesce(i.package_key, i.subject) as "packageKey", coalesce(p.version, nullif(i.version, '')) as "componentVersion", p.purl, c.verdict,
  c.verdict_document_id as "documentId", c.verdict_statement as statement`

export function matchJoins(workspaceId: string): RawBuilder<unknown> {
  return sql`
    join vulnerability_group g on g.id = c.group_id
    join component_identity i on i.id = c.identity_id
    left join product_version v on v.id = c.version_id
    left join lateral (
      select x.name, x.version, x.purl from component x
      where x.identity_id = c.identity_id and x.family_id = c.family_id and x.workspace_id = ${workspaceId}
      order by x.number limit 1
    ) p on true`
}

const gradeThere = gradeInSbom({
  grade: sql`m.grade`,
  basis: basisOfMatch('m', 'i'),
  cpesGuessed: sql`s.cpes_guessed`,
})

/**
 * Of the common table expression `subject (id, identity_id, group_id, cpes_guessed, met)`: which live entries of the catalogues name one of the records that
 * match it exactly there or, `met`, whose digest is there, as `listing (subject_id, is_upstream, source, vuln_key)`. An entry without a CVE counts for the one its
 * EUVD id is mapped to.
 */
const listings: RawBuilder<unknown> = sql`
  named as materialized (
    select distinct s.id as subject_id, s.group_id, a.other_id as id, a.relation = 'upstream' as is_upstream
    from subject s
    join component_identity i on i.id = s.identity_id
    join identity_match m on m.identity_id = i.id and ${gradeThere} = 'exact'
    join vulnerability v on v.id = m.vulnerability_id and v.group_id = s.group_id and v.withdrawn_at is null
      and v.class <> 'informational'
    join alias_assertion a on a.vulnerability_id = v.id and ${namesDirectly('a')}
    union
    select s.id, s.group_id, a.other_id, a.relation = 'upstream'
    from subject s
    join alias_assertion a on a.vulnerability_id = any(s.met) and ${namesDirectly('a')}
  ),
  listing as materialized (
    select n.subject_id, n.is_upstream, e.source, n.id as vuln_key
    from named n
    join exploited e on e.cve_id = n.id and e.removed_at is null
    union
    select n.subject_id, n.is_upstream, e.source, coalesce(e.cve_id, p.cve_id, c.id, n.id)
    from named n
    join exploited e on e.euvd_id = n.id and e.removed_at is null
    left join lateral (select min(cve_id) as cve_id from euvd_mapping where euvd_id = n.id) p on true
    left join lateral (
      select min(id) as id from group_name where group_id = n.group_id and id like 'CVE-%'
    ) c on true
    union
    select n.subject_id, n.is_upstream, e.source, n.id
    from named n
    join euvd_mapping p on p.cve_id = n.id
    join exploited e on e.euvd_id = p.euvd_id and e.cve_id is null and e.removed_at is null
  )`
