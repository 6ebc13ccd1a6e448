import type { WorkspaceCoverage } from '#contract/inventory/shapes.ts'

/** What an absence of findings means: an all-clear, or that nothing could be checked. */
export type Silence = 'unknown' | 'no_sbom' | 'no_data' | 'no_catalogue' | 'nothing_judged' | 'clear'

type Facts = Pick<WorkspaceCoverage, 'coverage' | 'sboms' | 'data'>

/** `undefined` while the coverage is unknown. `exploited`: about exploited vulnerabilities only. */
export function silenceOf(facts: Facts | undefined, { exploited }: { exploited: boolean }): Silence {
  if (facts === undefined) return 'unknown'
  const { coverage, sboms, data } = facts
  if (sboms === 0) return 'no_sbom'
  if (coverage.covered === 0) {
    const missing = coverage.dataNotLoaded + coverage.partlyLoaded
    return missing > 0 || (!data.records && coverage.noSource === 0) ? 'no_data' : 'nothing_judged'
  }
  return exploited && !data.catalogues ? 'no_catalogue' : 'clear'
}
