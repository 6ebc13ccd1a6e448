import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'
import {
  compareIdentifiers,
  compareReleaseNumbers,
  parseSemver,
  type SemanticVersion,
  writeIdentifiers,
} from '../semver/parse-semver.ts'

/** Marks of the key, in order and below any number. */
const prerelease = 0x10
const release = 0x20
const revision = 0x30

/**
 * Bitnami: a semantic version whose suffix counts rebuilds. A suffix that begins with a digit is a revision above
 * the release (`1.2.3-1` > `1.2.3`), one that begins with a letter a prerelease below it.
 */
export const bitnami: OrderingRule<SemanticVersion> = {
  rule: 'https://github.com/bitnami/go-version#version-revision',
  parse: (version) => parseSemver(version.startsWith('v') ? version.slice(1) : version),
  compare: (a, b) =>
    compareReleaseNumbers(a.numbers, b.numbers) ||
    Math.sign(phaseOf(a) - phaseOf(b)) ||
    compareIdentifiers(a.prerelease, b.prerelease),
  key: (version) => {
    const key = new KeyWriter()
    for (const number of version.numbers) key.number(number)
    key.mark(phaseOf(version))
    writeIdentifiers(key, version.prerelease)
    return key.finish()
  },
}

function phaseOf(version: SemanticVersion): number {
  const suffix = version.prerelease[0]
  if (suffix === undefined) return release
  return /^\d/.test(suffix) ? revision : prerelease
}
