import type { ShownDecidability, UndecidedState } from '../../contract/identity.ts'
import type { LostCoverage } from '../../contract/inventory/shapes.ts'

/** Components of an ecosystem, and of one release of it, in one state. */
export type CountedCoverage = {
  ecosystem: string | null
  /** '' where there is none, and where the release was not counted. */
  release: string
  state: ShownDecidability
  components: number
}

/**
 * What stopped being covered between two counts, the most components first. A new uncovered component is no loss, and neither is a covered
 * one that is gone: only a decrease among the covered that is matched by an increase among the others counts. Releases are looked at one by one, and
 * `uncovered` are those components that no record names any more: neither must be hidden by others of the ecosystem that are covered for the first time.
 */
export function lostCoverage(
  before: readonly CountedCoverage[],
  now: readonly CountedCoverage[],
  uncovered: readonly CountedCoverage[] = [],
): LostCoverage[] {
  const earlier = Map.groupBy(before, ({ ecosystem }) => ecosystem)
  const named = Map.groupBy(uncovered, ({ ecosystem }) => ecosystem)
  return [...Map.groupBy(now, ({ ecosystem }) => ecosystem)]
    .flatMap(([ecosystem, rows]) => {
      const counted = {
        before: earlier.get(ecosystem) ?? [],
        now: rows,
        uncovered: named.get(ecosystem) ?? [],
      }
      return lostOf(ecosystem, counted)
    })
    .sort(mostComponentsFirst)
}

export function mostComponentsFirst(a: LostCoverage, b: LostCoverage): number {
  return b.components - a.components || (a.ecosystem ?? '').localeCompare(b.ecosystem ?? '', 'en')
}

type Counted = Record<'before' | 'now' | 'uncovered', readonly CountedCoverage[]>

function lostOf(ecosystem: string | null, counted: Counted): LostCoverage[] {
  const releases = byRelease(counted)
  const ofReleases = releases.reduce(
    (sum, each) => sum + Math.max(0, decrease(each), sumOf(each.uncovered)),
    0,
  )
  const components = Math.max(decrease(counted), ofReleases)
  const state =
    mostGrown([counted]) ?? mostGrown(releases) ?? counted.uncovered.map(stateOf).find(isUndecided)
  return state === undefined || components <= 0 ? [] : [{ ecosystem, state, components }]
}

/** Grouped once: senders name releases, thousands if they like. */
function byRelease({ before, now, uncovered }: Counted): Counted[] {
  const [earlier, named] = [before, uncovered].map((rows) => Map.groupBy(rows, releaseOf))
  return [...Map.groupBy(now, releaseOf)].map(([release, rows]) => ({
    before: earlier?.get(release) ?? [],
    now: rows,
    uncovered: named?.get(release) ?? [],
  }))
}

function decrease({ before, now }: Counted): number {
  return Math.min(
    sumOf(before.filter(isCovered)) - sumOf(now.filter(isCovered)),
    sumOf(now.filter((row) => !isCovered(row))) - sumOf(before.filter((row) => !isCovered(row))),
  )
}

/** The state that gained most among those that are not covered; undefined: none did. */
function mostGrown(parts: readonly Counted[]): UndecidedState | undefined {
  const growth = new Map<UndecidedState, number>()
  for (const { before, now } of parts)
    for (const state of new Set(now.map(stateOf).filter(isUndecided))) {
      const inState = (rows: readonly CountedCoverage[]) => sumOf(rows.filter((row) => row.state === state))
      growth.set(state, (growth.get(state) ?? 0) + Math.max(0, inState(now) - inState(before)))
    }
  const [grown] = [...growth].sort(([, a], [, b]) => b - a)
  return grown !== undefined && grown[1] > 0 ? grown[0] : undefined
}

function releaseOf({ release }: CountedCoverage): string {
  return release
}

function stateOf({ state }: CountedCoverage): ShownDecidability {
  return state
}

function isUndecided(state: ShownDecidability): state is UndecidedState {
  return state !== 'covered'
}

function isCovered({ state }: CountedCoverage): boolean {
  return state === 'covered'
}

function sumOf(rows: readonly CountedCoverage[]): number {
  return rows.reduce((sum, { components }) => sum + components, 0)
}
