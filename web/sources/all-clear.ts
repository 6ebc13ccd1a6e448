import type { WorkspaceCoverage } from '#contract/inventory/shapes.ts'
import type { SourceRow } from '#contract/sources/shapes.ts'
import { firstNamed } from './first-named.ts'

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

type Sources = { sources: readonly SourceRow[]; switchedOff: readonly string[] }

/** Why data that should be there is not: the sources of it that fail, or those that are switched off, or neither. */
export function whyNotLoaded({ sources, switchedOff }: Sources, brings: SourceRow['brings']): string {
  const failing = sources.filter((source) => source.state === 'failing' && source.brings === brings)
  if (failing.length > 0) {
    const { named, more } = firstNamed(failing)
    return `Failing: ${named.map(({ label }) => label).join(', ')}${more}.`
  }
  return switchedOff.length > 0
    ? `Switched off by the configuration: ${switchedOff.join(', ')}.`
    : 'The service is loading it in the background.'
}
