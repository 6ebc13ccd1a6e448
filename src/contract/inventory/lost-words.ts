import type { UndecidedState } from '../identity.ts'

/** Why a component is no longer covered, after the name of its ecosystem. */
export const lostReasons: Record<UndecidedState, string> = {
  not_covered: 'no record names it any more',
  no_version: 'the newest SBOM gives no usable version',
  uncomparable: 'the version in the newest SBOM cannot be compared',
  release_unknown: 'the newest SBOM does not name the release of the distribution',
  source_unknown: 'nothing says which source package it was built from',
  data_not_loaded: 'its data is not loaded yet',
  partly_loaded: 'only part of its data is loaded',
  no_source: 'its source no longer publishes data on it',
}
