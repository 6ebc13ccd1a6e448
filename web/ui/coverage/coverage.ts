import type { ShownCoverage } from '../../../src/contract/sbom.ts'
import type { ShownDecidability } from '../../../src/contract/identity.ts'

type Look = { key: keyof ShownCoverage; word: string; meaning: string }

/** Whether a component can be judged, and what its state means. The order is the one of the bar and of the table. */
export const decidabilityLooks: Record<ShownDecidability, Look> = {
  covered: {
    key: 'covered',
    word: 'covered',
    meaning: 'The vulnerability data knows the package, and the version can be compared.',
  },
  data_not_loaded: {
    key: 'dataNotLoaded',
    word: 'data not loaded',
    meaning:
      'The data of this ecosystem is still being loaded; these components are judged as soon as it is here.',
  },
  partly_loaded: {
    key: 'partlyLoaded',
    word: 'partly loaded',
    meaning:
      'Only a part of the data of this ecosystem was loaded. What it knows is shown; that it finds nothing says nothing.',
  },
  no_version: {
    key: 'noVersion',
    word: 'no version',
    meaning: 'The SBOM names no usable version: only possible findings by name.',
  },
  release_unknown: {
    key: 'releaseUnknown',
    word: 'release unknown',
    meaning: 'The release of the distribution is not named, so that ranges cannot be used.',
  },
  uncomparable: {
    key: 'uncomparable',
    word: 'uncomparable',
    meaning: 'The version does not follow the rules of its ecosystem.',
  },
  not_covered: {
    key: 'notCovered',
    word: 'not covered',
    meaning:
      'No source has data on this kind of component. This does not mean that it has no vulnerabilities.',
  },
}

export const decidabilities = Object.keys(decidabilityLooks) as ShownDecidability[]

export function coverageTotal(coverage: ShownCoverage): number {
  return decidabilities.reduce((total, state) => total + coverage[decidabilityLooks[state].key], 0)
}
