import { sql, type RawBuilder } from 'kysely'
import type { ShownDecidability } from '../../contract/identity.ts'
import type { LostCoverage } from '../../contract/inventory/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { dayMs } from '../../contract/durations.ts'
import { activeSboms, judgedComponents, stateOfJudged } from '../../findings/inventory/judged-components.ts'
import { selectUncovered } from '../../findings/inventory/select-uncovered.ts'
import { lostCoverage, type CountedCoverage } from './lost-coverage.ts'

type Day = { workspaceId: string; day: string; now: Date }

/** Stores how many components of the active SBOMs of a workspace are in which state, by ecosystem and release. A counted day stays as it is. */
export async function countCoverageDay(tx: Tx, { workspaceId, day, now }: Day): Promise<void> {
  await sql`
    with ${activeSboms(workspaceId)},
    counted as (
      select coalesce(i.ecosystem, '') as ecosystem, coalesce(i.release, '') as release, ${stateOfJudged} as state,
        sum(i.components)::bigint as components
      from active a
      ${judgedComponents('a.id', sql`cardinality(a.component_numbers)`)}
      group by 1, 2, 3
      having sum(i.components) > 0
    )
    insert into coverage_day (workspace_id, day, ecosystem, state, components, releases, counted_at)
    select ${workspaceId}, ${day}::date, ecosystem, state, sum(components)::bigint, jsonb_object_agg(release, components), ${now}::timestamptz
    from counted
    group by ecosystem, state
    on conflict (workspace_id, day, ecosystem, state) do nothing`.execute(tx)
}

export type CoverageDay = { day: string; countedAt: Date; counted: CountedCoverage[] }

type Span = { after: Date; until: Date }

/** What was counted last in a time; undefined where nothing was. Index coverage_day_pkey. */
async function selectLastDay(db: Db, workspaceId: string, span: Span): Promise<CoverageDay | undefined> {
  const [day] = await selectDays(db, workspaceId, span, sql`max(day)`)
  return day
}

/** What was counted on each day of a time, the first one first. Index coverage_day_pkey. */
export async function selectCoverageDays(db: Db, workspaceId: string, span: Span): Promise<CoverageDay[]> {
  return selectDays(db, workspaceId, span, sql`distinct day`)
}

async function selectDays(
  db: Db,
  workspaceId: string,
  { after, until }: Span,
  days: RawBuilder<unknown>,
): Promise<CoverageDay[]> {
  const { rows } = await sql<{
    day: string
    counted_at: Date
    ecosystem: string
    release: string
    state: ShownDecidability
    components: number
  }>`
    select to_char(c.day, 'YYYY-MM-DD') as day, c.counted_at, c.ecosystem, r.release, c.state, r.components::bigint as components
    from coverage_day c
    cross join jsonb_each_text(coalesce(c.releases, jsonb_build_object('', c.components))) as r (release, components)
    where c.workspace_id = ${workspaceId} and c.day in (
      select ${days} from coverage_day
      where workspace_id = ${workspaceId} and counted_at > ${after}::timestamptz and counted_at <= ${until}::timestamptz
    )
    order by c.day`.execute(db)
  return [...Map.groupBy(rows, ({ day }) => day)].flatMap(([day, [first, ...others]]) => {
    if (first === undefined) return []
    const counted = [first, ...others].map(({ ecosystem, release, state, components }) => {
      return { ecosystem: ecosystem === '' ? null : ecosystem, release, state, components }
    })
    return [{ day, countedAt: first.counted_at, counted }]
  })
}

const comparedDays = 31

/** What the last count in a period covers no longer, of what the one before it did. */
export async function selectLostCoverage(
  db: Db,
  workspaceId: string,
  { since, until }: { since: Date; until: Date },
): Promise<LostCoverage[]> {
  const now = await selectLastDay(db, workspaceId, { after: since, until })
  if (now === undefined) return []
  const after = new Date(since.getTime() - comparedDays * dayMs)
  const before = await selectLastDay(db, workspaceId, { after, until: since })
  if (before === undefined) return []
  const uncovered = await selectUncovered(db, workspaceId, { after: before.countedAt, until: now.countedAt })
  return lostCoverage(before.counted, now.counted, uncovered)
}
