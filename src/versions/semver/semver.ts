import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'
import {
  compareIdentifiers,
  compareReleaseNumbers,
  parseSemver,
  type SemanticVersion,
  writeIdentifiers,
} from './parse-semver.ts'

/**
 * Semantic Versioning, used by npm, crates.io, Hex, SwiftURL and GitHub Actions. A leading `v` is dropped,
 * build metadata is equal, a prerelease is below its release wherever it occurs: `< 2.0.0` includes `2.0.0-rc1`.
 */
export const semver: OrderingRule<SemanticVersion> = {
  rule: 'https://semver.org/spec/v2.0.0.html#spec-item-11',
  parse: (version) => parseSemver(version.startsWith('v') ? version.slice(1) : version),
  compare: compareSemver,
  key: semverKey,
}

/** Clause 11: numbers, then release above prerelease, then the identifiers of the prerelease. */
export function compareSemver(a: SemanticVersion, b: SemanticVersion): number {
  const order = compareReleaseNumbers(a.numbers, b.numbers)
  if (order !== 0) return order
  const isReleaseA = a.prerelease.length === 0
  const isReleaseB = b.prerelease.length === 0
  if (isReleaseA || isReleaseB) return Number(isReleaseA) - Number(isReleaseB)
  return compareIdentifiers(a.prerelease, b.prerelease)
}

const prereleaseFollows = 0x10
const release = 0x20

/** Both marks are below any number, so `1.2-rc` and `1.2` are below `1.2.0.1`. */
export function semverKey(version: SemanticVersion): Uint8Array {
  const key = new KeyWriter()
  for (const number of version.numbers) key.number(number)
  if (version.prerelease.length === 0) return key.mark(release).finish()
  key.mark(prereleaseFollows)
  writeIdentifiers(key, version.prerelease)
  return key.finish()
}
