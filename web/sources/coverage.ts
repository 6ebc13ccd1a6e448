import type { ShownCoverage } from '#contract/sbom/shapes.ts'
import type { ShownDecidability } from '#contract/identity.ts'
import { knownKeys } from '#contract/known-keys.ts'

type Look = { key: keyof ShownCoverage; word: string; meaning: string }

/** Whether a component can be judged, and what each state means, in the order of the bar and the table. */
export const decidabilityLooks: Record<ShownDecidability, Look> = {
  covered: {
    key: 'covered',
    word: 'covered',
    meaning: 'The vulnerability data includes the package, and the version can be compared.',
  },
  data_not_loaded: {
    key: 'dataNotLoaded',
    word: 'data not loaded',
    meaning:
      'No data for this ecosystem is loaded, so these components are not checked. They will be once it is loaded; where fetching is switched off, that takes a file.',
  },
  partly_loaded: {
    key: 'partlyLoaded',
    word: 'partly loaded',
    meaning:
      'Only part of the data for this ecosystem is loaded. Findings from it are shown, but no findings does not mean no vulnerabilities.',
  },
  no_version: {
    key: 'noVersion',
    word: 'no version',
    meaning: 'The SBOM gives no usable version, so there are only possible findings by name.',
  },
  release_unknown: {
    key: 'releaseUnknown',
    word: 'release unknown',
    meaning: 'The SBOM does not name the release of the distribution, so version ranges cannot be used.',
  },
  source_unknown: {
    key: 'sourceUnknown',
    word: 'source unknown',
    meaning:
      'The vulnerability data names source packages, and nothing says which one this package was built from.',
  },
  uncomparable: {
    key: 'uncomparable',
    word: 'uncomparable',
    meaning: 'The version does not follow the rules of its ecosystem.',
  },
  no_source: {
    key: 'noSource',
    word: 'no source',
    meaning:
      'The source of vulnerability data has none for this ecosystem, or none for this release of the distribution. The components are checked as soon as it has some.',
  },
  not_covered: {
    key: 'notCovered',
    word: 'not covered',
    meaning:
      'No source has data for this kind of component. This does not mean that it has no vulnerabilities.',
  },
}

export const shownDecidabilities = knownKeys(decidabilityLooks)
