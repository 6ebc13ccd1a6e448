/** Steps on the way to a release, the earliest first; words in one row mean the same. At most 16 rows fit the key. */
const prereleases = [
  ['dev', 'devel', 'snapshot', 'nightly', 'canary'],
  ['alpha'],
  ['beta'],
  ['milestone'],
  ['pre', 'preview', 'prerelease'],
  ['rc', 'cr', 'candidate'],
] as const

/** How long before the release a word comes. */
export const prereleaseRanks: ReadonlyMap<string, number> = new Map(
  prereleases.flatMap((row, rank) => row.map((word) => [word, rank] as const)),
)

/** They mean the release itself (`5.0.0.Final`), and are ignored. */
export const releaseWords: ReadonlySet<string> = new Set(['final', 'ga', 'release', 'stable'])

/**
 * Words above the release that vendors and NVD spell both ways (`4.2.8p15`, `4.2.8:patch15`). Each becomes the short
 * one, because single letters count by the alphabet on their own (1.0.2p < 1.0.2q).
 */
export const shortWords: ReadonlyMap<string, string> = new Map([
  ['patch', 'p'],
  ['patchlevel', 'p'],
  ['pl', 'p'],
  ['update', 'u'],
  ['upd', 'u'],
  ['hotfix', 'hf'],
])
