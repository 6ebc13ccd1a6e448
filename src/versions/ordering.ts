import { apk } from './apk/apk.ts'
import { bitnami } from './bitnami/bitnami.ts'
import { conan } from './conan/conan.ts'
import { cran } from './cran/cran.ts'
import { dpkg } from './dpkg/dpkg.ts'
import { generic } from './generic/generic.ts'
import { go } from './go/go.ts'
import { hackage } from './hackage/hackage.ts'
import { julia } from './julia/julia.ts'
import { maven } from './maven/maven.ts'
import { nuget } from './nuget/nuget.ts'
import type { OrderingRule } from './ordering-rule.ts'
import { packagist } from './packagist/packagist.ts'
import { pep440 } from './pep440/pep440.ts'
import { pub } from './pub/pub.ts'
import { rpm } from './rpm/rpm.ts'
import { rubygems } from './rubygems/rubygems.ts'
import { semver } from './semver/semver.ts'

/**
 * The ways of ordering versions; opam uses dpkg; npm, crates.io, Hex, SwiftURL and GitHub Actions semver; products
 * named by CPE generic.
 */
export const versionSchemes = [
  'semver',
  'go',
  'pep440',
  'maven',
  'rubygems',
  'nuget',
  'packagist',
  'dpkg',
  'rpm',
  'apk',
  'cran',
  'hackage',
  'pub',
  'julia',
  'bitnami',
  'conan',
  'generic',
] as const
export type VersionScheme = (typeof versionSchemes)[number]

export type Ordering = {
  scheme: VersionScheme
  /** Where the rule is written down. */
  rule: string
  /** Bytes that sort (unsigned, a prefix lower) as the versions do; null: the scheme has no total order. */
  key: ((version: string) => Uint8Array | undefined) | null
  /** -1 when `a` is the older one, 0 when they are equal; undefined: at least one cannot be ordered, or the two of them cannot. */
  compare: (a: string, b: string) => number | undefined
}

/** Raised whenever a key function gives different bytes: stored keys are then recomputed. */
export const keyGeneration = 3

/** Versions come from outside: longer ones are not read at all. */
const maximumCharacters = 512
/** An index row has a size limit; the lowest bound is the empty key, so no version has that. */
const maximumKeyBytes = 1000

const orderings: Record<VersionScheme, Ordering> = {
  semver: define('semver', semver),
  go: define('go', go),
  pep440: define('pep440', pep440),
  maven: define('maven', maven),
  rubygems: define('rubygems', rubygems),
  nuget: define('nuget', nuget),
  packagist: define('packagist', packagist),
  dpkg: define('dpkg', dpkg),
  rpm: define('rpm', rpm),
  apk: define('apk', apk),
  cran: define('cran', cran),
  hackage: define('hackage', hackage),
  pub: define('pub', pub),
  julia: define('julia', julia),
  bitnami: define('bitnami', bitnami),
  conan: define('conan', conan),
  generic: define('generic', generic),
}

function define<Parsed>(scheme: VersionScheme, rule: OrderingRule<Parsed>): Ordering {
  const parse = (version: string): Parsed | undefined =>
    version.length > maximumCharacters ? undefined : rule.parse(version.trim())
  const { key } = rule
  return {
    scheme,
    rule: rule.rule,
    key:
      key === null
        ? null
        : (version) => {
            const parsed = parse(version)
            return parsed === undefined ? undefined : key(parsed)
          },
    compare: (a, b) => {
      const parsedA = parse(a)
      const parsedB = parse(b)
      return parsedA === undefined || parsedB === undefined ? undefined : rule.compare(parsedA, parsedB)
    },
  }
}

/** The ordering of one scheme. There is no fallback: what it cannot order stays unordered. */
export function orderingOf(scheme: VersionScheme): Ordering {
  return orderings[scheme]
}

/**
 * The key under which a version is stored and compared in SQL. null: the scheme has no key, the version cannot be
 * ordered, or its key would exceed 1 000 bytes.
 */
export function versionKey(scheme: VersionScheme, version: string): Uint8Array | null {
  const key = orderings[scheme].key?.(version)
  return key === undefined || key.length > maximumKeyBytes ? null : key
}

/** Whether ranges can be decided for this version: by its key, or by comparison where the scheme has no keys. */
export function isOrderable(scheme: VersionScheme, version: string): boolean {
  const ordering = orderings[scheme]
  return ordering.key === null
    ? ordering.compare(version, version) !== undefined
    : versionKey(scheme, version) !== null
}
