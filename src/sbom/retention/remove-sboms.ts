import { sql, type RawBuilder } from 'kysely'
import type { SbomRetention } from '../../contract/sbom/retention.ts'
import type { Tx } from '../../database/connection.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { componentsOfSbom, runsOfSbom } from '../components/components-of-sbom.ts'
import { replacedAt } from './replaced-at.ts'

/** Numbers of components as the database writes a multirange: `{[1,5),[7,9)}`. */
export type ComponentNumbers = string

/** Locks a family as an upload does: nothing is stored or made active meanwhile. Null: it has been deleted. */
export async function lockArrivals(
  tx: Tx,
  { workspaceId, familyId }: FamilyKey,
): Promise<{ name: string } | null> {
  const { rows } = await sql<{ name: string }>`
    select name from family
    where workspace_id = ${workspaceId} and id = ${familyId} and deleted_at is null
    for no key update`.execute(tx)
  return rows[0] ?? null
}

type Removal = FamilyKey & { sbomIds: readonly string[]; setting: SbomRetention; now: Date }

/** Records what is about to go: hash, times and counts. Returns the hashes, the oldest SBOM first. */
export async function recordRemovedSboms(
  tx: Tx,
  { workspaceId, familyId, sbomIds, setting, now }: Removal,
): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`
    with going as materialized (
      select s.*, ${replacedAt('s', 'r')} as gone_from
      from sbom s
      left join sbom r on r.id = s.replaced_by
      where s.workspace_id = ${workspaceId} and s.family_id = ${familyId} and s.id = any(${uuidList(sbomIds)})
    ),
    listed as (
      select distinct s.id, s.version_id, c.identity_id from going s cross join ${componentsOfSbom('s')}
    ),
    counted as materialized (
      select l.id, count(*) as findings
      from listed l
      join finding f on f.workspace_id = ${workspaceId} and f.family_id = ${familyId}
        and f.version_id is not distinct from l.version_id and f.identity_id = l.identity_id
      group by l.id
    ),
    recorded as (
      insert into removed_sbom (id, workspace_id, family_id, version_id, sha256, format, spec_version, size_bytes,
        component_count, finding_count, received_at, replaced_at, removed_at, keep, amount, cra_lifted)
      select s.id, s.workspace_id, s.family_id, s.version_id, s.sha256, s.format, s.spec_version, s.size_bytes,
        s.component_count, coalesce(n.findings, 0), s.received_at, s.gone_from, ${now}::timestamptz,
        ${setting.keep}, ${setting.amount}::int, ${setting.isCraLifted}::boolean
      from going s
      left join counted n on n.id = s.id
      returning sha256, received_at, id
    )
    select encode(sha256, 'hex') as sha256 from recorded order by received_at, id`.execute(tx)
  return rows.map(({ sha256 }) => sha256)
}

/**
 * Components that only these SBOMs list and nothing else of the family names: a finding, even a closed one, an incident and a dismissed match
 * name their component for as long as they are kept. Call it before the SBOMs are deleted.
 */
export async function selectUnlisted(
  tx: Tx,
  { workspaceId, familyId }: FamilyKey,
  sbomIds: readonly string[],
): Promise<ComponentNumbers> {
  const isGoing = sql`s.id = any(${uuidList(sbomIds)})`
  const { rows } = await sql<{ numbers: string }>`
    with listed as materialized (
      select coalesce(range_agg(n.numbers) filter (where n.is_going), '{}') as going,
        coalesce(range_agg(n.numbers) filter (where not n.is_going), '{}') as staying
      from (
        select ${isGoing} as is_going, coalesce(v.numbers, ${numbersOfSbom('s')}) as numbers
        from sbom s
        left join sbom_inventory v on v.sbom_id = s.id
        where s.workspace_id = ${workspaceId} and s.family_id = ${familyId}
      ) n
    ),
    named as materialized (
      select identity_id from finding where workspace_id = ${workspaceId} and family_id = ${familyId}
      union select identity_id from incident_affected where workspace_id = ${workspaceId} and family_id = ${familyId}
      union select identity_id from suppressed_opening where workspace_id = ${workspaceId} and family_id = ${familyId}
      union select identity_id from dismissed_match where workspace_id = ${workspaceId} and family_id = ${familyId}
    )
    select coalesce(range_agg(int4range(c.number, c.number, '[]')), '{}')::text as numbers
    from listed l
    cross join unnest(l.going - l.staying) as r (run)
    join component c on c.family_id = ${familyId} and c.number >= lower(r.run) and c.number < upper(r.run)
    where c.workspace_id = ${workspaceId} and not exists (select from named m where m.identity_id = c.identity_id)`.execute(
    tx,
  )
  return rows[0]?.numbers ?? '{}'
}

function numbersOfSbom(sbom: string): RawBuilder<unknown> {
  return sql`(select coalesce(range_agg(int4range(first, last, '[]')), '{}') from ${runsOfSbom(sbom)} g)`
}

/**
 * Deletes SBOMs and components. Of the SBOMs that stay, each one that was replaced by one of these says by what that one was replaced. The family's
 * next number is burnt, so that an upload that looked for its components before looks again (`numberComponents`). Returns how many components went.
 */
export async function deleteSboms(
  tx: Tx,
  { workspaceId, familyId }: FamilyKey,
  { sbomIds, unlisted }: { sbomIds: readonly string[]; unlisted: ComponentNumbers },
): Promise<number> {
  const going = uuidList(sbomIds)
  await sql`
    with recursive successor (id, next) as (
      select id, replaced_by from sbom where workspace_id = ${workspaceId} and id = any(${going})
      union
      select s.id, b.replaced_by
      from successor s
      join sbom b on b.workspace_id = ${workspaceId} and b.id = s.next and b.id = any(${going})
    )
    update sbom s set replaced_by = n.next
    from successor n
    where s.workspace_id = ${workspaceId} and s.family_id = ${familyId} and s.replaced_by = n.id
      and not s.id = any(${going}) and (n.next is null or not n.next = any(${going}))`.execute(tx)
  await sql`
    delete from sbom
    where workspace_id = ${workspaceId} and family_id = ${familyId} and id = any(${going})`.execute(tx)
  const { numAffectedRows = 0n } = await sql`
    delete from component c
    using unnest(${unlisted}::int4multirange) as r (run)
    where c.workspace_id = ${workspaceId} and c.family_id = ${familyId}
      and c.number >= lower(r.run) and c.number < upper(r.run)`.execute(tx)
  await sql`
    update family set next_component_number = next_component_number + 1
    where workspace_id = ${workspaceId} and id = ${familyId}`.execute(tx)
  return Number(numAffectedRows)
}
