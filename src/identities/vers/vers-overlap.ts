import { orderingOf, type VersionScheme } from '../../versions/ordering.ts'
import { isLowestBound, type VersionInterval } from '../../versions/range.ts'
import type { Constraint, VersRange } from './vers.ts'

/** Consecutive versions of a range; null: no bound on that side. */
type Span = { lower: Constraint | null; upper: Constraint | null }

/**
 * Whether some version of a stated range may lie in an interval of affected ones. Anything that cannot be compared may: only ranges known to be
 * disjoint do not overlap.
 */
export function mayOverlap(range: VersRange, interval: VersionInterval): boolean {
  return spansOf(range).some((span) => mayMeet(range.scheme, span, interval))
}

/** Exclusions with `!=` are ignored: they are single versions between others. */
function spansOf({ constraints }: VersRange): Span[] {
  if (constraints.length === 0) return [{ lower: null, upper: null }]
  const points = constraints.filter(({ comparator }) => comparator === '=')
  const bounds = constraints.filter(({ comparator }) => comparator !== '=' && comparator !== '!=')
  const spans = points.map((point): Span => ({ lower: point, upper: point }))
  for (const [index, bound] of bounds.entries()) {
    const next = bounds[index + 1]
    if (bound.comparator.startsWith('<')) {
      if (index === 0) spans.push({ lower: null, upper: bound })
    } else if (next === undefined) spans.push({ lower: bound, upper: null })
    else if (next.comparator.startsWith('<')) spans.push({ lower: bound, upper: next })
  }
  const isOnlyExclusion = spans.length === 0 && constraints.some(({ comparator }) => comparator === '!=')
  return isOnlyExclusion ? [{ lower: null, upper: null }] : spans
}

function mayMeet(
  scheme: VersionScheme,
  { lower, upper }: Span,
  { introduced, upper: end, upperIncluded }: VersionInterval,
): boolean {
  const { compare } = orderingOf(scheme)
  const isBelow =
    lower === null || end === null || precedes(compare(lower.version, end), isClosed(lower) && upperIncluded)
  const start = isLowestBound(scheme, introduced) ? null : introduced
  const isAbove = upper === null || start === null || precedes(compare(start, upper.version), isClosed(upper))
  return isBelow && isAbove
}

function precedes(order: number | undefined, orEqual: boolean): boolean {
  return order === undefined || order < 0 || (orEqual && order === 0)
}

function isClosed({ comparator }: Constraint): boolean {
  return comparator.endsWith('=')
}
