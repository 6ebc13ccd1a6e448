import type { Coverage, ShownCoverage } from '../../contract/sbom/shapes.ts'

/** What the database calls the states of `ShownCoverage`. */
export const stateNames = {
  covered: 'covered',
  not_covered: 'notCovered',
  no_version: 'noVersion',
  uncomparable: 'uncomparable',
  release_unknown: 'releaseUnknown',
  data_not_loaded: 'dataNotLoaded',
  partly_loaded: 'partlyLoaded',
  no_source: 'noSource',
  source_unknown: 'sourceUnknown',
} as const satisfies Record<string, keyof ShownCoverage>

export type CountedState = { decidability: keyof typeof stateNames; components: number }

export function sumStates(rows: readonly CountedState[]): ShownCoverage {
  const coverage: ShownCoverage = {
    covered: 0,
    notCovered: 0,
    noVersion: 0,
    uncomparable: 0,
    releaseUnknown: 0,
    dataNotLoaded: 0,
    partlyLoaded: 0,
    noSource: 0,
    sourceUnknown: 0,
  }
  for (const { decidability, components } of rows) coverage[stateNames[decidability]] += components
  return coverage
}

/** Without the states that the results of an SBOM do not name: of a source that is loaded in part, the data are not loaded. */
export function toResultCoverage({ partlyLoaded, ...coverage }: ShownCoverage): Coverage {
  return { ...coverage, dataNotLoaded: coverage.dataNotLoaded + partlyLoaded }
}
