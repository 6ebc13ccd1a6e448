import type { Coverage } from '../contract/sbom.ts'

/** What the store calls the states of `Coverage`. */
export const stateNames = {
  covered: 'covered',
  not_covered: 'notCovered',
  no_version: 'noVersion',
  uncomparable: 'uncomparable',
  release_unknown: 'releaseUnknown',
  data_not_loaded: 'dataNotLoaded',
} as const satisfies Record<string, keyof Coverage>

export type CountedState = { decidability: keyof typeof stateNames; components: number }

export function sumStates(rows: readonly CountedState[]): Coverage {
  const coverage: Coverage = {
    covered: 0,
    notCovered: 0,
    noVersion: 0,
    uncomparable: 0,
    releaseUnknown: 0,
    dataNotLoaded: 0,
  }
  for (const { decidability, components } of rows) coverage[stateNames[decidability]] += components
  return coverage
}
