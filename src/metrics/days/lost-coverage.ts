import type { ShownDecidability, UndecidedState } from '../../contract/identity.ts'
import type { LostCoverage } from '../../contract/inventory/shapes.ts'

/** Components of an ecosystem in one state. */
export type CountedCoverage = { ecosystem: string | null; state: ShownDecidability; components: number }

/**
 * What stopped being covered between two counts, the most components first. A new uncovered component is no loss, and neither is a covered
 * one that is gone: only a decrease among the covered that is matched by an increase among the others counts.
 */
export function lostCoverage(
  before: readonly CountedCoverage[],
  now: readonly CountedCoverage[],
): LostCoverage[] {
  const earlier = Map.groupBy(before, ({ ecosystem }) => ecosystem)
  return [...Map.groupBy(now, ({ ecosystem }) => ecosystem)]
    .flatMap(([ecosystem, rows]) => lostOf(ecosystem, earlier.get(ecosystem) ?? [], rows))
    .sort((a, b) => b.components - a.components || (a.ecosystem ?? '').localeCompare(b.ecosystem ?? '', 'en'))
}

function lostOf(
  ecosystem: string | null,
  before: readonly CountedCoverage[],
  now: readonly CountedCoverage[],
): LostCoverage[] {
  const growth = now
    .flatMap(({ state, components }) =>
      isUndecided(state) ? [{ state, components: components - inState(before, state) }] : [],
    )
    .sort((a, b) => b.components - a.components)
  const components = Math.min(
    inState(before, 'covered') - inState(now, 'covered'),
    outside(now) - outside(before),
  )
  const [grown] = growth
  return grown === undefined || components <= 0 ? [] : [{ ecosystem, state: grown.state, components }]
}

function isUndecided(state: ShownDecidability): state is UndecidedState {
  return state !== 'covered'
}

function inState(rows: readonly CountedCoverage[], wanted: ShownDecidability): number {
  return rows.reduce((sum, { state, components }) => (state === wanted ? sum + components : sum), 0)
}

function outside(rows: readonly CountedCoverage[]): number {
  return rows.reduce((sum, { state, components }) => (state === 'covered' ? sum : sum + components), 0)
}
