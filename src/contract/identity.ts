/** Whether vulnerability data can decide about a component, and if not, why. */
export const decidabilities = [
  /** Name, version and release are known; ranges decide. */
  'covered',
  /** No data source knows this kind of package. */
  'not_covered',
  /** A placeholder or a range is in place of the version; only the name can match. */
  'no_version',
  /** The ecosystem's rules do not order this version. */
  'uncomparable',
  /** The distribution's release is unknown; only a list of versions can answer. */
  'release_unknown',
] as const
export type Decidability = (typeof decidabilities)[number]

/** As pages show it: also whether the deciding data are loaded, wholly or in part, or their source has none for the ecosystem. */
export const shownDecidabilities = [
  ...decidabilities,
  /** Records name source packages, and nothing says which one this distribution package was built from. */
  'source_unknown',
  'data_not_loaded',
  'partly_loaded',
  'no_source',
] as const
export type ShownDecidability = (typeof shownDecidabilities)[number]

/** Why vulnerability data do not decide. */
export const undecidedStates = shownDecidabilities.filter((state) => state !== 'covered')
export type UndecidedState = (typeof undecidedStates)[number]

/** Where a further key of an identity comes from, beside the one that names it. */
export const keyOrigins = [
  /** The source that a package of apk was built from: its records are filed under either name. */
  'origin',
  /** The source that the records of its distribution say it was built from. */
  'source',
  /** Another purl of the same component. */
  'purl',
  /** Another CPE of the same component. */
  'cpe',
  /** The repository that the component names. */
  'repository',
  /** The same product as another part of CPE: application, operating system or hardware. */
  'part',
  /** The name and the maker of the component: only possible matches, which do not affect coverage. */
  'name',
] as const
export type KeyOrigin = (typeof keyOrigins)[number]

/**
 * What a component was identified by. `guessed_cpe`: the CPE leaves out the version, which is taken from the component; or it is one of several that contradict each other, or that a tool concluded.
 * `foreign_purl`: the purl names a registry other than the public one, or a place that is none, where somebody else may own the name. Whether a tool made the CPE up belongs to the SBOM, not to the component.
 */
export const identityBases = ['purl', 'foreign_purl', 'cpe', 'guessed_cpe', 'name'] as const
export type IdentityBasis = (typeof identityBases)[number]
