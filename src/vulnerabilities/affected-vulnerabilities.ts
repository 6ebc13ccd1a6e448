import { sql, type RawBuilder } from 'kysely'
import type { VerdictFilter } from '../contract/findings/verdict.ts'
import { hasVerdict } from '../findings/reads/finding-query.ts'
import { lookedUp } from '../findings/verdicts/names-of-group.ts'

/** Whose findings count; all families that are not archived when none is named. */
type Affected = { workspaceId: string; familyId?: string | undefined; verdict: VerdictFilter }

/** Findings become versions first, then vulnerabilities: counting distinct versions would sort every finding. */
export function affectedVersions({ workspaceId, familyId, verdict }: Affected): RawBuilder<unknown> {
  return sql`
    affected_version as materialized (
      select f.group_id, f.family_id, f.version_id, ${hasVerdict(verdict)} as is_shown, bool_or(f.grade = 'exact') as is_exact,
        bool_or('kev' = any(f.exploited_by)) as in_kev, bool_or('euvd' = any(f.exploited_by)) as in_euvd,
        min(f.first_seen_at) as first_seen_at, count(*) as findings
      from finding f
      where f.workspace_id = ${workspaceId} and f.closed_at is null and ${isOfFamilyInUse(workspaceId)}
        and ${familyId === undefined ? sql`true` : sql`f.family_id = ${familyId}`}
      group by f.group_id, f.family_id, f.version_id, is_shown
    )`
}

/**
 * A list that is looked up for each finding. In a join the server would treat the workspace and its families as two independent conditions,
 * expect hardly any findings among many workspaces, and use a nested loop.
 */
function isOfFamilyInUse(workspaceId: string): RawBuilder<boolean> {
  return sql<boolean>`(f.family_id in (
    select id from family where workspace_id = ${workspaceId} and archived_at is null and deleted_at is null
  )) is true`
}

/**
 * `name_of_group (group_id, key, own_group, catalogues, is_cve)`: under which ids the affected groups are listed, as `findVulnerability` finds
 * them by these, and which catalogues list the id. What withdrawn records name is left out, as in every count. A name counts for the CVE that its
 * own group is titled by, so that several CVEs of one vulnerability, and a GHSA beside its CVE, are one row. Only names that a group does not have
 * for itself are looked up. Indexes vulnerability_of_group, alias_assertion_other.
 */
export const namedVulnerabilities = sql`
    affected_group as materialized (
      select g.id, g.title_id collate "C" as title, g.title_id like 'CVE-%' and g.cves is null as is_cve
      from (select distinct group_id from affected_version) a
      join vulnerability_group g on g.id = a.group_id
    ),
    affected_name as materialized (
      select g.id as group_id, g.title, a.other_id collate "C" as name,
        g.is_cve and bool_or(a.relation = 'self' or (a.relation = 'alias' and a.bridges)) as is_own
      from affected_group g
      cross join lateral (select id from vulnerability where group_id = g.id and withdrawn_at is null offset 0) v
      cross join lateral (
        select other_id, relation, bridges from alias_assertion
        where vulnerability_id = v.id and relation in ('self', 'alias', 'upstream') offset 0
      ) a
      group by g.id, g.title, a.other_id, g.is_cve
    ),
    foreign_name as materialized (
      select n.name, coalesce(c.title, case when n.name like 'CVE-%' then n.name end) as key, c.group_id
      from (select distinct name from affected_name where not is_own) n
      left join lateral (
        select g.title_id collate "C" as title, g.id as group_id
        from alias_assertion a
        join vulnerability v on v.id = a.vulnerability_id
        join vulnerability_group g on g.id = v.group_id and g.title_id like 'CVE-%' and g.cves is null
        where a.other_id = ${lookedUp('n.name')} and (a.relation = 'self' or (a.relation = 'alias' and a.bridges))
        order by g.title_id <> n.name, g.id
        limit 1
      ) c on true
    ),
    known_name as materialized (
      select group_id, name, title as key, group_id as own_group from affected_name where is_own
      union all
      select n.group_id, n.name, f.key, f.group_id from affected_name n join foreign_name f on f.name = n.name and f.key is not null
      where not n.is_own
    ),
    listed_name as materialized (
      select k.key, array_agg(distinct e.source) as catalogues
      from known_name k
      join (
        select cve_id as name, source from exploited where removed_at is null and cve_id is not null
        union all
        select p.cve_id, x.source from exploited x join euvd_mapping p on p.euvd_id = x.euvd_id
        where x.removed_at is null and x.cve_id is null
      ) e on e.name = k.name
      group by k.key
    ),
    key_of_group as materialized (
      select group_id, key, min(own_group) as own_group from known_name group by group_id, key
    ),
    name_of_group as materialized (
      select n.group_id, n.key, n.own_group, l.catalogues, true as is_cve
      from key_of_group n
      left join listed_name l on l.key = n.key
      union all
      select g.id, g.title, g.id, null, false
      from affected_group g
      where not exists (select from key_of_group n where n.group_id = g.id)
    )`

/**
 * What catalogues say of a CVE counts for the findings that they list directly. Severity and summary are those of the vulnerability's own
 * group, else of one that is about it alone, else of one that names it, as on its page.
 */
export const affectedVulnerabilities = sql`
    keyed_version as (
      select n.key, a.is_shown, a.family_id, a.version_id, sum(a.findings) as findings, bool_or(a.is_exact) as is_exact,
        bool_or(a.in_kev and (not n.is_cve or 'kev' = any(n.catalogues))) as in_kev,
        bool_or(a.in_euvd and (not n.is_cve or 'euvd' = any(n.catalogues))) as in_euvd,
        min(a.first_seen_at) as first_seen_at
      from affected_version a
      join name_of_group n on n.group_id = a.group_id
      group by n.key, a.is_shown, a.family_id, a.version_id
    ),
    counted as (
      select key as id, is_shown, count(distinct family_id) as families, count(*) as versions, sum(findings)::bigint as findings,
        case when bool_or(is_exact) then 'exact' else 'possible' end as grade,
        array_remove(array[case when bool_or(in_kev) then 'kev' end, case when bool_or(in_euvd) then 'euvd' end], null)
          as exploited_by,
        min(first_seen_at) as first_seen_at
      from keyed_version
      group by key, is_shown
    ),
    telling as materialized (
      select t.key, g.id, g.summary, g.severity, g.score, g.is_malware, t.rank
      from (
        select key, own_group as group_id, 0 as rank from name_of_group where own_group is not null
        union
        select key, group_id, case when count(*) over (partition by group_id) = 1 then 1 else 2 end
        from name_of_group where group_id is distinct from own_group
      ) t
      join vulnerability_group g on g.id = t.group_id
    ),
    told as (
      select t.key, t.severity, t.score, coalesce(s.summary, '') as summary, m.is_malware
      from (select distinct on (key) * from telling order by key, severity = 'unknown', rank, id) t
      left join (
        select distinct on (key) key, summary from telling where summary <> '' order by key, rank, id
      ) s on s.key = t.key
      join (select key, bool_or(is_malware) as is_malware from telling group by key) m on m.key = t.key
    ),
    affected_vulnerability as materialized (
      select c.*, t.summary, t.severity, t.score, t.is_malware from counted c join told t on t.key = c.id
    )`
