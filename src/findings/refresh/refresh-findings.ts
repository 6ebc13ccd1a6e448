import { sql, type RawBuilder } from 'kysely'
import type { Db, Tx } from '../../database/connection.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { isSaidAlike } from '../../sbom/components/namesakes.ts'
import { areCpesGuessed, gradeInSbom } from './cpe-guesses.ts'
import { foundByHash } from './found-by-hash.ts'
import type { Originals } from '../../originals/originals.ts'
import { readLinks } from '../../vex/binding/bind-links.ts'
import { isSbomOf, isVersion, type VersionSlot, type VersionView } from '../version-slot.ts'
import { enqueueOpenings } from '../../workspace/monitoring/enqueue-openings.ts'
import { lockFindingsOfFamily } from '../locks.ts'
import { isUnderIncident } from '../under-incident.ts'
import { ownershipsWhere, suppressedFindings } from './owned-components.ts'
import { refreshVerdictsOfVersion } from '../verdicts/refresh-verdicts.ts'
import { enqueueMalwareNotice } from './tell-malware.ts'
import {
  exploitedAs,
  exploitedExactly,
  joinCatalogues,
  listedRecords,
  wantedFindings,
} from './wanted-findings.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { isMonitored } from '../../workspace/state.ts'
import { selectWorkspace } from '../../workspace/workspaces.ts'

export type FindingChanges = {
  opened: number
  reopened: number
  /** Grade, exploited catalogues or effective verdict differ. */
  changed: number
  closed: number
}

export const noFindingChanges: FindingChanges = { opened: 0, reopened: 0, changed: 0, closed: 0 }

/** The sum of the changes of two runs. */
export function joinFindingChanges(one: FindingChanges, other: FindingChanges): FindingChanges {
  return {
    opened: one.opened + other.opened,
    reopened: one.reopened + other.reopened,
    changed: one.changed + other.changed,
    closed: one.closed + other.closed,
  }
}

type Refresh = FamilyKey & {
  /** Since when nothing was worked out, where that pause ends now. */
  pausedFrom?: string | undefined
  now: Date
  /** Where BOM-Links are followed into SBOMs that are not in the database. */
  originals?: Originals | undefined
}

/**
 * Recalculates the findings of every version of a family (job `refresh_findings`). A second run changes nothing. An archived
 * family keeps its findings as they are, and so does a workspace that is read-only or closed; those of a deleted family are
 * removed elsewhere.
 */
export async function refreshFamilyFindings(db: Db, { now, ...family }: Refresh): Promise<void> {
  if (!isMonitored(await selectWorkspace(db, family.workspaceId), now)) return
  await refreshVersions(db, family, now)
}

/** As `refreshFamilyFindings`, in any workspace; returns what changed. */
export async function refreshVersions(
  db: Db,
  { workspaceId, familyId, pausedFrom, originals }: Omit<Refresh, 'now'>,
  now: Date,
): Promise<FindingChanges> {
  await readLinks(db, { workspaceId, familyId }, { originals })
  let total = noFindingChanges
  for (const versionId of await selectVersionSlots(db, workspaceId, familyId)) {
    const changes = await transact(db, (tx) =>
      refreshFindingsOfVersion(tx, { workspaceId, familyId, versionId, pausedFrom }, now),
    )
    total = joinFindingChanges(total, changes)
  }
  return total
}

/**
 * Brings the stored findings of one version in line with the results of its active SBOM's identities: new ones open, gone
 * ones close, returning ones reopen with the time they were first seen; then works out the verdict in force on each, and has members told of malware. A version
 * without an active SBOM and a retired version have none. Call it in a transaction; statements before it must not have read
 * findings.
 */
export async function refreshFindingsOfVersion(
  tx: Tx,
  { pausedFrom, ...slot }: VersionSlot & Pick<Refresh, 'pausedFrom'>,
  now: Date,
): Promise<FindingChanges> {
  await lockFindingsOfFamily(tx, slot.familyId)
  const { exploited, retracted, ...changes } = await writeFindings(tx, slot, now)
  const isChanged = Object.values(changes).some((count) => count > 0)
  if (exploited > 0 || (await isUnderIncident(tx, slot, { withoutFinding: !isChanged }))) {
    await enqueueOpenings(tx, [slot], { now, pausedFrom })
  }
  const verdicts = await refreshVerdictsOfVersion(tx, slot, now)
  await enqueueMalwareNotice(tx, slot, { isRetracted: retracted > 0, now })
  return { ...changes, changed: changes.changed + verdicts }
}

/** `exploited`: how many of the changed ones are, or were, known to be exploited; `retracted`: those that members were told of as malware, and data ended. */
type Written = FindingChanges & { exploited: number; retracted: number }

async function writeFindings(tx: Tx, slot: VersionSlot, now: Date): Promise<Written> {
  const { workspaceId, familyId, versionId } = slot
  const facts = await selectSbomFacts(tx, slot)
  const { rows } = await sql<Written>`
    with part as materialized (${identitiesOfActiveSbom(slot)}),
    ${listedRecords},
    ${wantedFindings},
    ${dueFindings(slot, facts)},
    stored as materialized (
      select id, identity_id, group_id, grade, exploited_by, closed_at, malware_told_at
      from finding
      where workspace_id = ${workspaceId} and family_id = ${familyId}
        and ${isVersion('version_id', versionId)}
    ),
    difference as materialized (
      select s.id, s.closed_at, d.identity_id, d.group_id, d.grade, d.exploited_by, s.exploited_by as listed_before
      from due d
      full join stored s using (identity_id, group_id)
      where (d.identity_id is null and s.closed_at is null)
        or (d.identity_id is not null and (s.id is null or s.closed_at is not null
          or (d.grade, d.exploited_by) is distinct from (s.grade, s.exploited_by)))
    ),
    ${closedFindings(now)},
    ${renamedMalware(familyId)},
    altered as (
      update finding f set grade = d.grade, exploited_by = d.exploited_by, closed_at = null, ended_by_data = false
      from difference d
      where d.id is not null and d.identity_id is not null and f.id = d.id
    ),
    opened as (
      insert into finding (id, workspace_id, family_id, version_id, identity_id, group_id, grade, exploited_by, first_seen_at,
        malware_told_at)
      select ${newFindingId(now)}, ${workspaceId}, ${familyId}, ${versionId}::uuid, identity_id, group_id, grade,
        exploited_by, ${now}::timestamptz, r.told_at
      from difference
      left join renamed r using (identity_id, group_id)
      where id is null
      order by identity_id, group_id
    )
    select count(*) filter (where id is null) as opened,
      count(*) filter (where id is not null and identity_id is not null and closed_at is not null) as reopened,
      count(*) filter (where id is not null and identity_id is not null and closed_at is null) as changed,
      count(*) filter (where identity_id is null) as closed,
      count(*) filter (where exploited_by <> '{}' or listed_before <> '{}') as exploited,
      (select count(*) from closed where malware_told_at is not null) as retracted
    from difference
    ${facts.isSmall ? prepared : sql``}`.execute(tx)
  const [changes] = rows
  if (changes === undefined) throw new Error('the findings statement answered no row')
  return changes
}

/** `closed`: those that are not due any more. What data ended keeps the mark that members were told of it as malware. */
function closedFindings(now: Date): RawBuilder<unknown> {
  return sql`
    gone as (
      select d.id, s.identity_id, s.group_id, s.malware_told_at,
        -- what a distribution's package answers for is still wanted
        exists (select from part p where p.identity_id = s.identity_id)
          and not exists (select from wanted w where w.identity_id = s.identity_id and w.group_id = s.group_id) as by_data
      from difference d
      join stored s on s.id = d.id
      where d.identity_id is null
    ),
    closed as (
      update finding f set closed_at = ${now}::timestamptz, ended_by_data = d.by_data,
        malware_told_at = case when d.by_data then f.malware_told_at end
      from gone d
      where f.id = d.id
      returning f.malware_told_at
    )`
}

/**
 * `renamed`: malware that members were told of, and that an update identifies as another component: the SBOM says the same of it (index
 * component_of_identity).
 */
function renamedMalware(familyId: string): RawBuilder<unknown> {
  return sql`
    renamed as materialized (
      select d.identity_id, d.group_id, min(g.malware_told_at) as told_at
      from gone g
      join difference d on d.id is null and d.group_id = g.group_id
      join component n on n.family_id = ${familyId} and n.identity_id = g.identity_id
      join component c on c.identity_id = d.identity_id and ${isSaidAlike}
      where g.malware_told_at is not null and not g.by_data
      group by d.identity_id, d.group_id
    )`
}

/** What an SBOM changes in the findings of its identities. */
type SbomFacts = {
  cpesGuessed: boolean
  hasOwners: boolean
  /** Some record states a digest of its package. */
  hasDigests: boolean
  /** Planning the statement costs more than running it by any plan. */
  isSmall: boolean
}

const maxOfSmall = 1_000

export async function selectSbomFacts(db: Db, view: VersionView): Promise<SbomFacts> {
  const { rows } = await sql<SbomFacts>`
    select ${areCpesGuessed(sql.ref('s.tools'))} as "cpesGuessed", s.owner_numbers <> '{}' as "hasOwners",
      exists (select from malware_digest) as "hasDigests",
      s.component_count <= ${maxOfSmall} as "isSmall"
    from sbom s
    where ${isSbomOf(view)}
    ${prepared}`.execute(db)
  return rows[0] ?? { cpesGuessed: false, hasOwners: false, hasDigests: false, isSmall: false }
}

/**
 * The findings of the SBOM, `due (identity_id, group_id, exploited_by, grade)`, from `part` and `wanted`: a component with the digest of a malicious
 * package is that package, whatever it is called and whatever its name says. What its name says for certain counts beside it.
 */
export function dueFindings(view: VersionView, facts: SbomFacts): RawBuilder<unknown> {
  if (!facts.hasDigests) return namedFindings('due', view, facts)
  return sql`
    ${namedFindings('named', view, facts)},
    hashed as materialized (
      select c.identity_id, c.group_id, true as is_met,
        array_agg(distinct l.source order by l.source) filter (where l.source is not null) as exploited_by
      from (${foundByHash(isSbomOf(view))}) c
      left join listed l using (vulnerability_id)
      group by c.identity_id, c.group_id
    ),
    due as materialized (
      select identity_id, group_id, case when h.is_met then 'exact' else n.grade end as grade,
        case when h.is_met then ${joinCatalogues(sql`n.exploited_exactly`, sql`h.exploited_by`)} else n.exploited_by end as exploited_by
      from named n
      full join (select * from hashed where identity_id in (select identity_id from part)) h using (identity_id, group_id)
    )`
}

/** Those that rest on names. Hardly any SBOM says who owns what. */
function namedFindings(
  as: 'named' | 'due',
  view: VersionView,
  { cpesGuessed, hasOwners }: SbomFacts,
): RawBuilder<unknown> {
  const name = sql.ref(as)
  const guessed = sql.lit(cpesGuessed)
  const grade = gradeInSbom({ grade: sql`w.grade`, basis: sql`w.basis`, cpesGuessed: guessed })
  const columns = sql`w.identity_id, w.group_id, ${grade} as grade,
    ${exploitedExactly('w', guessed)} as exploited_exactly, ${exploitedAs('w', { grade, cpesGuessed: guessed })} as exploited_by`
  if (!hasOwners) return sql`${name} as materialized (select ${columns} from wanted w)`
  return sql`
    ownership as materialized (${ownershipsWhere(isSbomOf(view))}),
    ${suppressedFindings},
    ${name} as materialized (
      select ${columns}
      from wanted w
      where not exists (select from suppressed x where x.identity_id = w.identity_id and x.group_id = w.group_id)
    )`
}

function identitiesOfActiveSbom(slot: VersionSlot) {
  return sql`
    select distinct c.identity_id
    from sbom s
    join family f on f.id = s.family_id and f.deleted_at is null
    left join product_version p on p.id = s.version_id
    cross join ${componentsOfSbom('s')}
    where ${isSbomOf(slot)} and p.retired_at is null`
}

/** A version 7 UUID (RFC 9562 §5.7) made in SQL, where a statement makes thousands: the time, then random bits. */
function newFindingId(now: Date) {
  const time = now.getTime().toString(16).padStart(12, '0')
  return sql`(${time} || '7' || substr(gen_random_uuid()::text, 16))::uuid`
}

/** Versions that have an active SBOM or an open finding; none for an archived family. */
async function selectVersionSlots(db: Db, workspaceId: string, familyId: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ version_id: string | null }>`
    select s.version_id
    from (
      select version_id from sbom where workspace_id = ${workspaceId} and family_id = ${familyId} and active
      union
      select version_id from finding
      where workspace_id = ${workspaceId} and family_id = ${familyId} and closed_at is null
    ) s
    where exists (
      select from family where workspace_id = ${workspaceId} and id = ${familyId} and archived_at is null
    )
    order by s.version_id
    ${prepared}`.execute(db)
  return rows.map((row) => row.version_id)
}
