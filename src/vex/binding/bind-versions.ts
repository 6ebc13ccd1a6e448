import type { Verdict, VexVersionRange } from '../../contract/vex.ts'
import { registryOf } from '../../formats/identity/ecosystems.ts'
import { decodePercent } from '../../formats/purl/purl.ts'
import { orderingOf, type VersionScheme } from '../../formats/versions/ordering.ts'

/** The versions a verdict is narrowed to. A range is taken apart when it is first asked. */
export type ReadVersions = readonly {
  status: VexVersionRange['status']
  holds: VersionTest
  bounds: number
}[]

/** A version and the purl type whose rules order it; null where no purl tells. */
export type TypedVersion = { version: string; purlType: string | null }

type VersionTest = (tested: TypedVersion) => boolean

/** Schemes of purl and vers types that no registry of ours stands behind. */
const schemes = new Map<string, VersionScheme>([
  ['deb', 'dpkg'],
  ['rpm', 'rpm'],
  ['apk', 'apk'],
  ['alpine', 'apk'],
  ['semver', 'semver'],
  ['generic', 'generic'],
  ['intdot', 'generic'],
])

function schemeOf(type: string): VersionScheme | undefined {
  return schemes.get(type) ?? registryOf(type)?.scheme
}

/** Reads `affects[].versions` (CycloneDX 1.4-1.7). An entry that cannot be read holds for no version. */
export function readVersions(versions: readonly VexVersionRange[]): ReadVersions {
  return versions.map(({ version, range, status }) => ({
    status,
    holds: range === undefined ? equals(version ?? '') : inRange(range),
    bounds: range === undefined ? 1 : range.split('|').length,
  }))
}

function inRange(range: string): VersionTest {
  let test: VersionTest | undefined
  return (tested) => {
    test ??= readVers(range) ?? (() => false)
    return test(tested)
  }
}

/**
 * Whether a verdict that is narrowed to versions holds for this one. A verdict that clears holds for the versions called
 * unaffected, or, where none is, for those listed; the others for those called affected. What is called both is left out.
 */
export function holdsForVersion(
  versions: ReadVersions,
  verdict: Verdict | null,
  tested: TypedVersion,
): boolean {
  const clears = verdict === 'not_affected' || verdict === 'fixed'
  const wanted = clears && versions.some(({ status }) => status === 'unaffected') ? 'unaffected' : 'affected'
  const named = versions.filter(({ holds }) => holds(tested)).map(({ status }) => status)
  return named.length > 0 && named.every((status) => status === wanted)
}

/** Whether two versions of a package are one: the same text, or equal in its order with the same build behind `+`. */
export function isSameVersion(a: string, b: string, purlType: string | null): boolean {
  const [left, right] = purlType === 'golang' ? [withoutV(a), withoutV(b)] : [a, b]
  if (left === right) return true
  const scheme = purlType === null ? undefined : schemeOf(purlType)
  if (scheme === undefined || buildOf(left) !== buildOf(right)) return false
  return orderingOf(scheme).compare(left, right) === 0
}

function equals(version: string): VersionTest {
  return (tested) => isSameVersion(version, tested.version, tested.purlType)
}

function withoutV(version: string): string {
  return version.startsWith('v') ? version.slice(1) : version
}

function buildOf(version: string): string {
  const plus = version.indexOf('+')
  return plus === -1 ? '' : version.slice(plus)
}

type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>='
type Constraint = { comparator: Comparator; version: string }

const comparators: readonly Comparator[] = ['!=', '<=', '>=', '<', '>', '=']

/** A range of the vers specification (`vers:npm/>=1.0.0|<2.0.0`); undefined when it cannot be read or ordered. */
function readVers(text: string): VersionTest | undefined {
  const slash = text.indexOf('/')
  if (!text.toLowerCase().startsWith('vers:') || slash === -1) return undefined
  const type = text.slice('vers:'.length, slash).trim().toLowerCase()
  const parts = text
    .slice(slash + 1)
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  if (parts.length === 1 && parts[0] === '*') return () => true
  const scheme = schemeOf(type)
  const constraints = parts.map(readConstraint)
  if (scheme === undefined || constraints.length === 0) return undefined
  const read = constraints.filter((constraint) => constraint !== undefined)
  const sorted = read.length === constraints.length ? inOrder(read, scheme) : undefined
  return sorted && ((tested) => isContained(sorted, tested.version, scheme))
}

function readConstraint(part: string): Constraint | undefined {
  const comparator = comparators.find((known) => part.startsWith(known))
  const version = decodePercent(part.slice(comparator?.length ?? 0).trim())
  return version === undefined || version === '' || version === '*'
    ? undefined
    : { comparator: comparator ?? '=', version }
}

/** Undefined when a version of the range has no order. */
function inOrder(constraints: readonly Constraint[], scheme: VersionScheme): Constraint[] | undefined {
  const { compare } = orderingOf(scheme)
  if (constraints.some(({ version }) => compare(version, version) === undefined)) return undefined
  return constraints.toSorted((a, b) => compare(a.version, b.version) ?? 0)
}

/** The specification's own steps (vers, "Checking if a version is contained within a range"). */
function isContained(sorted: readonly Constraint[], version: string, scheme: VersionScheme): boolean {
  const { compare } = orderingOf(scheme)
  if (compare(version, version) === undefined) return false
  const same = sorted.filter((constraint) => compare(version, constraint.version) === 0)
  if (same.some(({ comparator }) => comparator === '!=')) return false
  if (same.some(({ comparator }) => comparator.endsWith('='))) return true
  const bounds = sorted.filter(({ comparator }) => comparator !== '=' && comparator !== '!=')
  return bounds.some((bound, index) => {
    const order = compare(version, bound.version) ?? 0
    const next = bounds[index + 1]
    if (bound.comparator.startsWith('<')) return index === 0 && order < 0
    if (order <= 0) return false
    return (
      next === undefined || (next.comparator.startsWith('<') && (compare(version, next.version) ?? 0) < 0)
    )
  })
}
