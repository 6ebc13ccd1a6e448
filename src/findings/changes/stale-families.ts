import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { enqueueRefreshes } from '../../workspace/monitoring/enqueue-refresh.ts'
import { areCpesGuessedFor, gradeInSbom } from '../refresh/cpe-guesses.ts'
import { isFoundByHash, recordsMetByHash } from '../../vulndata/malware-digests.ts'
import { monitored } from '../../workspace/state.ts'
import { isOfSystem, ownershipsWhere, suppressedFindings } from '../refresh/owned-components.ts'
import { isSettled } from '../verdicts/settled.ts'
import {
  exploitedAs,
  exploitedExactly,
  joinCatalogues,
  listedRecords,
  wantedFindings,
} from '../refresh/wanted-findings.ts'

/**
 * Enqueues a refresh of every family whose stored findings on these identities differ from the results, one waiting job per
 * family. Call it after the results are committed: comparing what is stored with what is wanted finds the same families again after an
 * interrupted run. Families with findings known to be exploited come first: their incidents open before the lists
 * of the others are worked out. Returns how many families were reached.
 */
export async function enqueueStaleFamilies(
  db: Db,
  identityIds: readonly string[],
  now: Date,
): Promise<number> {
  const families = await selectStaleFamilies(db, identityIds, now)
  // each in the order of the ids, so that two that enqueue the same do not wait for each other
  await enqueueRefreshes(
    db,
    families.filter(({ isExploited }) => isExploited),
    now,
  )
  await enqueueRefreshes(
    db,
    families.filter(({ isExploited }) => !isExploited),
    now,
  )
  return families.length
}

/** `isExploited`: a finding that differs is, or was, known to be exploited. */
type StaleFamily = FamilyKey & { isExploited: boolean }

/**
 * Families with an open finding that is no longer wanted as it is, or that members were not told of as the malware that it is, or were as what it is not, or with an active SBOM whose component lacks a wanted one. An SBOM
 * without inventory has yet to be matched, which works out its findings. Archived families keep theirs and are left out, and
 * so are those of workspaces that are read-only or closed.
 */
async function selectStaleFamilies(
  db: Db,
  identityIds: readonly string[],
  now: Date,
): Promise<StaleFamily[]> {
  const { rows } = await sql<StaleFamily>`
    with ${touchedIdentities(identityIds)},
    ${listedRecords},
    ${wantedFindings},
    ${suppressedFindings},
    ${outdatedFindings(identityIds)},
    ${untoldMalware(identityIds)},
    ${missingFindings(identityIds)}
    select f.workspace_id as "workspaceId", f.id as "familyId", stale.is_exploited as "isExploited"
    from family f
    join workspace w on w.id = f.workspace_id and ${monitored('w', now)}
    join (
      select family_id, bool_or(is_exploited) as is_exploited
      from (select * from outdated union all select * from incomplete union all select family_id, false from untold) s
      group by family_id
    ) stale on stale.family_id = f.id
    where f.archived_at is null and f.deleted_at is null
    order by f.id`.execute(db)
  return rows
}

/**
 * `part`: the identities, and those whose findings one of them decides by owning them in an active SBOM (index sbom_owners); with
 * everything that is owned in these SBOMs, as `owning` and `ownership`.
 */
function touchedIdentities(identityIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    changed as materialized (select unnest(${uuidList(identityIds)}) as identity_id),
    owning as materialized (
      select distinct s.id, s.family_id
      from changed n
      join component_identity i on i.id = n.identity_id
      join component c on c.identity_id = i.id
      join sbom s on s.family_id = c.family_id and s.active and s.owner_numbers <> '{}'
        and (c.number = any(s.owner_numbers) or c.number = any(s.owned_numbers))
      where exists (select from sbom where active and owner_numbers <> '{}')
        and (${isOfSystem(sql`i.ecosystem`)} or exists (select from identity_match m where m.identity_id = i.id))
    ),
    ownership as materialized (${ownershipsWhere(sql<boolean>`s.id in (select id from owning)`)}),
    part as materialized (select identity_id from changed union select identity_id from ownership)`
}

/** What catalogues list, `listed`, of the records whose digest a component of the open finding `f` has. */
const listedByHash = sql`array(select l.source from listed l where l.vulnerability_id = any(${recordsMetByHash}))`

/** `open_finding` (index finding_identity) and `outdated`: those that are no longer wanted as they are. */
function outdatedFindings(identityIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    open_finding as materialized (
      select family_id, version_id, identity_id, group_id, grade, exploited_by
      from finding
      where identity_id = any(${uuidList(identityIds)}) and closed_at is null
      union all
      select f.family_id, f.version_id, f.identity_id, f.group_id, f.grade, f.exploited_by
      from (select identity_id from ownership except select identity_id from changed) o
      join finding f on f.identity_id = o.identity_id and f.closed_at is null
      where f.family_id in (select family_id from owning)
    ),
    outdated as (
      select f.family_id, f.exploited_by <> '{}' or coalesce(w.exploited_by, '{}') <> '{}' as is_exploited
      from open_finding f
      left join wanted w using (identity_id, group_id)
      left join suppressed x on x.identity_id = f.identity_id and x.group_id = f.group_id
        and x.family_id = f.family_id and x.version_id is not distinct from f.version_id
      where case
        -- first, whatever the planner thinks of it: what is as it should be, nearly all, is not looked up among the digests
        when ${gradeOfOpenFinding} is distinct from f.grade
          or ${exploitedAs('w', { grade: sql`f.grade`, cpesGuessed })} is distinct from f.exploited_by
          or x.sbom_id is not null
          then not (f.grade = 'exact' and ${isFoundByHash}
            and f.exploited_by = ${joinCatalogues(exploitedExactly('w', cpesGuessed), listedByHash)})
        else false
      end
    )`
}

/** `untold`: findings whose vulnerability has turned out to be malware, or not to be, by an alias alone too (index finding_identity). */
function untoldMalware(identityIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    untold as (
      select f.family_id
      from finding f
      join vulnerability_group g on g.id = f.group_id
      where f.identity_id = any(${uuidList(identityIds)}) and f.closed_at is null
        and case when g.is_malware then f.malware_told_at is null and not ${isSettled('f')} else f.malware_told_at is not null end
    )`
}

/** `incomplete`: wanted and not there (index component_of_identity; of an SBOM as few numbers are looked at as were reached). */
function missingFindings(identityIds: readonly string[]): RawBuilder<unknown> {
  return sql`
    candidate as materialized (
      select c.family_id, c.number, w.identity_id, w.group_id, w.exploited_by <> '{}' as is_exploited
      from wanted w
      join component c on c.identity_id = w.identity_id
      where w.identity_id = any(${uuidList(identityIds)}) or c.family_id in (select family_id from owning)
    ),
    sought as materialized (
      select family_id, range_agg(int4range(number, number, '[]')) as numbers from candidate group by family_id
    ),
    present as materialized (
      select s.id as sbom_id, s.family_id, s.version_id, n.number
      from sought w
      join sbom s on s.family_id = w.family_id and s.active
      join sbom_inventory v on v.sbom_id = s.id
      left join product_version p on p.id = s.version_id
      cross join unnest(v.numbers * w.numbers) as r (numbers)
      cross join generate_series(lower(r.numbers), upper(r.numbers) - 1) as n (number)
      where p.retired_at is null
    ),
    incomplete as (
      select p.family_id, k.is_exploited
      from present p
      join candidate k on k.family_id = p.family_id and k.number = p.number
      left join open_finding f
        on f.family_id = p.family_id and f.identity_id = k.identity_id and f.group_id = k.group_id
          and f.version_id is not distinct from p.version_id
      left join suppressed x on x.sbom_id = p.sbom_id and x.identity_id = k.identity_id and x.group_id = k.group_id
      where f.family_id is null and x.sbom_id is null
    )`
}

const cpesGuessed = areCpesGuessedFor('f')

/** The grade that a stored finding `f` should have: as wanted, in the active SBOM of its version. */
const gradeOfOpenFinding = gradeInSbom({ grade: sql`w.grade`, basis: sql`w.basis`, cpesGuessed })
