import type { OrderingRule } from '../ordering-rule.ts'
import { parseSemver, type SemanticVersion } from '../semver/parse-semver.ts'
import { compareSemver, semverKey } from '../semver/semver.ts'

/** Toolchain and standard library: `go1.21rc2`, with a suffix of the distributor that Go ignores. */
const toolchain = /^(?:go)?(\d+(?:\.\d+){0,2})(?:(beta|rc)(\d+))?(?:-[0-9A-Za-z.-]+)?$/

/**
 * Go modules: semantic versions with `v` and `+incompatible`, pseudo-versions being prereleases; the standard
 * library in the toolchain's spelling. `(devel)` and other names of a main module are no version.
 */
export const go: OrderingRule<SemanticVersion> = {
  rule: 'https://go.dev/ref/mod#versions and https://go.dev/doc/toolchain#version',
  parse: (version) =>
    parseSemver(version.startsWith('v') ? version.slice(1) : version) ?? parseToolchain(version),
  compare: compareSemver,
  key: semverKey,
}

function parseToolchain(version: string): SemanticVersion | undefined {
  const [, numbers, phase, count] = toolchain.exec(version) ?? []
  if (numbers === undefined) return undefined
  return parseSemver(phase === undefined || count === undefined ? numbers : `${numbers}-${phase}.${count}`)
}
