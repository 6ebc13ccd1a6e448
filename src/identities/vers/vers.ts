import { registryOf } from '../ecosystems.ts'
import { decodePercent } from '../../formats/purl/purl.ts'
import { comparedWith } from '../../versions/pep440/local.ts'
import { orderingOf, type Ordering, type VersionScheme } from '../../versions/ordering.ts'

/** Schemes of purl and vers types that belong to no registry here. */
const schemes = new Map<string, VersionScheme>([
  ['deb', 'dpkg'],
  ['rpm', 'rpm'],
  ['apk', 'apk'],
  ['alpine', 'apk'],
  ['semver', 'semver'],
  ['generic', 'generic'],
  ['intdot', 'generic'],
])

/** The order of versions of a purl or vers type; undefined: none that we know. */
export function schemeOfType(type: string): VersionScheme | undefined {
  return schemes.get(type) ?? registryOf(type)?.scheme
}

type Comparator = '=' | '!=' | '<' | '<=' | '>' | '>='
export type Constraint = { comparator: Comparator; version: string }

const comparators: readonly Comparator[] = ['!=', '<=', '>=', '<', '>', '=']

/** A range of the vers specification as its constraints, the lowest version first; none: every version. */
export type VersRange = { scheme: VersionScheme; constraints: readonly Constraint[] }

/** Whether a text claims to be a range of the vers specification. */
export function isVers(text: string): boolean {
  return text.toLowerCase().startsWith('vers:')
}

/** Whether a version is in a range of the vers specification (`vers:npm/>=1.0.0|<2.0.0`); undefined when that cannot be read or ordered. */
export function readVers(text: string): ((version: string) => boolean) | undefined {
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  if (isAnyVersion(parts)) return () => true
  const range = readVersRange(text)
  return range && ((version) => isContained(range.constraints, version, range.scheme))
}

/** undefined when it cannot be read, or its versions cannot be ordered. */
export function readVersRange(text: string): VersRange | undefined {
  const parts = partsOf(text)
  const scheme = parts && schemeOfType(parts.type)
  if (parts === undefined || scheme === undefined) return undefined
  if (isAnyVersion(parts)) return { scheme, constraints: [] }
  const constraints = parts.texts.map(readConstraint)
  const read = constraints.filter((constraint) => constraint !== undefined)
  if (read.length === 0 || read.length < constraints.length) return undefined
  const sorted = inOrder(read, scheme)
  return sorted && { scheme, constraints: sorted }
}

type Parts = { type: string; texts: string[] }

function partsOf(text: string): Parts | undefined {
  const slash = text.indexOf('/')
  if (!isVers(text) || slash === -1) return undefined
  const parts = text
    .slice(slash + 1)
    .split('|')
    .map((part) => part.trim())
  return {
    type: text.slice('vers:'.length, slash).trim().toLowerCase(),
    texts: parts.filter((part) => part !== ''),
  }
}

function isAnyVersion({ texts }: Parts): boolean {
  return texts.length === 1 && texts[0] === '*'
}

function readConstraint(part: string): Constraint | undefined {
  const comparator = comparators.find((known) => part.startsWith(known))
  const version = decodePercent(part.slice(comparator?.length ?? 0).trim())
  return version === undefined || version === '' || version === '*'
    ? undefined
    : { comparator: comparator ?? '=', version }
}

/** Undefined when a version of the range has no order, or one begins behind its end: put in order, `>=3.0|<2.0` would be all but what is between. */
function inOrder(constraints: readonly Constraint[], scheme: VersionScheme): Constraint[] | undefined {
  const { compare } = orderingOf(scheme)
  if (constraints.some(({ version }) => compare(version, version) === undefined)) return undefined
  if (constraints.some((from, at) => isEmpty(from, constraints[at + 1], compare))) return undefined
  return constraints.toSorted((a, b) => compare(a.version, b.version) ?? 0)
}

function isEmpty(from: Constraint, to: Constraint | undefined, compare: Ordering['compare']): boolean {
  if (to === undefined || !from.comparator.startsWith('>') || !to.comparator.startsWith('<')) return false
  const order = compare(from.version, to.version) ?? 0
  return order > 0 || (order === 0 && (from.comparator === '>' || to.comparator === '<'))
}

/** The specification's own steps (vers, "Checking if a version is contained within a range"). */
function isContained(sorted: readonly Constraint[], version: string, scheme: VersionScheme): boolean {
  const { compare } = orderingOf(scheme)
  if (compare(version, version) === undefined) return false
  const orderOf = (bound: string) =>
    compare(scheme === 'pep440' ? comparedWith(version, bound) : version, bound)
  const same = sorted.filter((constraint) => orderOf(constraint.version) === 0)
  if (same.some(({ comparator }) => comparator === '!=')) return false
  if (same.some(({ comparator }) => comparator.endsWith('='))) return true
  const bounds = sorted.filter(({ comparator }) => comparator !== '=' && comparator !== '!=')
  return bounds.some((bound, index) => {
    const order = orderOf(bound.version) ?? 0
    const next = bounds[index + 1]
    if (bound.comparator.startsWith('<')) return index === 0 && order < 0
    if (order <= 0) return false
    return next === undefined || (next.comparator.startsWith('<') && (orderOf(next.version) ?? 0) < 0)
  })
}
