import type { OrderingRule } from '../ordering-rule.ts'
import { compareIdentifiers, parseSemver, type SemanticVersion } from '../semver/parse-semver.ts'
import { compareSemver } from '../semver/semver.ts'

/** Pub (Dart): semantic versions that also order build metadata, a version with it above the one without. */
export const pub: OrderingRule<SemanticVersion> = {
  rule: 'https://pub.dev/documentation/pub_semver/latest/pub_semver/Version/compareTo.html',
  parse: (version) => parseSemver(version.startsWith('v') ? version.slice(1) : version),
  compare: (a, b) => compareSemver(a, b) || compareIdentifiers(a.build, b.build),
  key: null,
}
