import type { OrderingRule } from '../ordering-rule.ts'
import { pub } from '../pub/pub.ts'
import type { SemanticVersion } from '../semver/parse-semver.ts'

/** Julia (VersionNumber): semantic versions whose builds are ordered as Pub's are. A library is built again as `2.13.6+1`, which may be the fix. */
export const julia: OrderingRule<SemanticVersion> = {
  ...pub,
  rule: 'https://docs.julialang.org/en/v1/manual/strings/#man-version-number-literals',
}
