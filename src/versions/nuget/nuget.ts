import type { OrderingRule } from '../ordering-rule.ts'
import { parseSemver, type SemanticVersion } from '../semver/parse-semver.ts'
import { compareSemver, semverKey } from '../semver/semver.ts'

const upToFourNumbers = /^\d+(?:\.\d+){0,3}(?:[-+]|$)/

/** NuGet: up to four numbers, missing ones zero; the prerelease without regard to case; build metadata equal. */
export const nuget: OrderingRule<SemanticVersion> = {
  rule: 'https://learn.microsoft.com/en-us/nuget/concepts/package-versioning#version-basics',
  parse: (version) => (upToFourNumbers.test(version) ? parseSemver(version.toLowerCase()) : undefined),
  compare: compareSemver,
  key: semverKey,
}
