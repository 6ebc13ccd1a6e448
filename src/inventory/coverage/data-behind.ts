import { sql, type RawBuilder } from 'kysely'
import type { DataBehind, DataState, SourceBehind } from '../../contract/sbom/result.ts'
import { isOldSource } from '../../contract/sources/shapes.ts'
import type { Db } from '../../database/connection.ts'
import type { SbomKey } from '../../findings/version-slot.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { decidersOf } from '../../vulndata/deciders.ts'
import { loadOfSource, sourceOfIdentity } from '../../vulndata/source-of-identity.ts'
import { briefOf, listSourceStates, type SourceWithState } from '../../vulndata/source-states.ts'

type Covered = { ecosystems: string[]; components: number }
type Behind = SourceBehind & { isStale: boolean }

type Moment = { switchedOff: readonly string[]; now: Date }

/**
 * What the counts of an SBOM rest on: for the components that count as covered every source that decides about them, and the lists of exploited
 * vulnerabilities. A source that fails goes on covering what it was loaded for, so how old its data are is said beside it. Sources that are switched
 * off count by what was loaded by hand.
 */
export function selectDataBehind(db: Db, sbom: SbomKey, moment: Moment): Promise<DataBehind> {
  return dataBehind(db, sql`v.workspace_id = ${sbom.workspaceId} and v.sbom_id = ${sbom.sbomId}`, moment)
}

type Families = { workspaceId: string; familyIds: readonly string[] }

/** The same of the active SBOMs of families, of versions in use: a component counts once for every SBOM that has it. */
export function selectDataBehindFamilies(db: Db, families: Families, moment: Moment): Promise<DataBehind> {
  return dataBehind(db, ofFamilies(families), moment)
}

async function dataBehind(
  db: Db,
  chosen: RawBuilder<unknown>,
  { switchedOff, now }: Moment,
): Promise<DataBehind> {
  const stored = new Map((await listSourceStates(db, switchedOff)).map((source) => [source.name, source]))
  const behind = new Map<string, Behind>()
  let stale = 0
  for (const { ecosystems, components } of await selectCovered(db, chosen)) {
    const sources = decidersBehind(ecosystems, stored).map((source) => toBehind(source, now))
    if (sources.some(({ isStale }) => isStale)) stale += components
    for (const source of sources) {
      const known = behind.get(source.name)?.components ?? 0
      behind.set(source.name, { ...source, components: known + components })
    }
  }
  const lists = [...stored.values()]
    .filter(({ name, state }) => briefOf(name).brings === 'exploited' && saysSomething(state))
    .map((source) => toBehind(source, now))
  const sources = [...behind.values(), ...lists].map(({ isStale: _, ...source }) => source)
  sources.sort((a, b) => a.label.localeCompare(b.label, 'en'))
  return { stale, sources }
}

/** Sources that decide about an ecosystem together count once all of them were loaded whole: before that nothing is covered by them. */
function decidersBehind(
  ecosystems: readonly string[],
  stored: ReadonlyMap<string, SourceWithState>,
): SourceWithState[] {
  const found = ecosystems.flatMap((ecosystem) => {
    const deciders = decidersOf(ecosystem)
      .map((name) => stored.get(name))
      .filter((source) => source !== undefined)
    return deciders.every(({ isWhole }) => isWhole)
      ? deciders.filter(({ state }) => saysSomething(state))
      : []
  })
  return [...new Map(found.map((source) => [source.name, source])).values()]
}

function saysSomething(state: SourceWithState['state']): boolean {
  return state !== 'off' && state !== 'no_source'
}

function toBehind(source: SourceWithState, now: Date): Behind {
  const { name, lastSuccessAt, failingSince } = source
  const { label, brings } = briefOf(name)
  const state = dataStateOf(source, now)
  return {
    name,
    label,
    brings: brings === 'exploited' ? brings : 'records',
    state,
    components: null,
    lastSuccessAt: lastSuccessAt?.toISOString() ?? null,
    failingSince: state === 'failing' ? (failingSince?.toISOString() ?? null) : null,
    isStale: state !== 'current',
  }
}

function dataStateOf(source: SourceWithState, now: Date): DataState {
  if (source.state === 'failing') return 'failing'
  if (source.lastSuccessAt === null) return 'never'
  return isOldSource(source, now.getTime()) ? 'old' : 'current'
}

/**
 * When the oldest of the data were fetched that the components of a family rest on, of its active SBOMs of versions in use; null where none is covered.
 */
export async function selectOldestBehind(
  db: Db,
  { workspaceId, familyId }: { workspaceId: string; familyId: string },
): Promise<Date | null> {
  const stored = new Map((await listSourceStates(db, [])).map((source) => [source.name, source]))
  const covered = await selectCovered(db, ofFamilies({ workspaceId, familyIds: [familyId] }))
  const names = new Set(covered.flatMap(({ ecosystems }) => ecosystems).flatMap(decidersOf))
  const times = [...names].flatMap((name) => {
    const source = stored.get(name)
    return source?.isWhole === true && source.lastSuccessAt !== null ? [source.lastSuccessAt.getTime()] : []
  })
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/** Inventories `v`. */
function ofFamilies({ workspaceId, familyIds }: Families): RawBuilder<unknown> {
  return sql`
    v.workspace_id = ${workspaceId} and v.sbom_id in (
      select s.id from sbom s
      left join product_version p on p.id = s.version_id
      where s.workspace_id = ${workspaceId} and s.family_id = any(${uuidList(familyIds)}) and s.active and p.retired_at is null
    )`
}

/** By what data decide about them, in inventories `v`; nothing before an SBOM is matched. */
async function selectCovered(db: Db, chosen: RawBuilder<unknown>): Promise<Covered[]> {
  const { rows } = await sql<Covered>`
    select array_remove(i.ecosystem || coalesce(i.other_ecosystems, '{}'), null) as ecosystems, sum(i.components)::bigint as components
    from sbom_inventory v
    cross join jsonb_to_recordset(v.coverage) as i (decidability text, ecosystem text, other_ecosystems text[], release text, components bigint)
    join data_source d on d.name = ${sourceOfIdentity('i')}
    where ${chosen} and i.decidability = 'covered' and ${loadOfSource('i', 'd')} = 'covered'
    group by 1
    order by 1`.execute(db)
  return rows
}
