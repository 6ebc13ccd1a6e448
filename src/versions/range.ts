import { comparedWith } from './pep440/local.ts'
import { isOrderable, orderingOf, type VersionScheme } from './ordering.ts'

/** Affected versions from `introduced` on, up to `upper`; null means no bound on that side. */
export type VersionInterval = { introduced: string | null; upper: string | null; upperIncluded: boolean }

/**
 * Whether an `introduced` event means "from the first version on": OSV's `0`, and RustSec's spelling of it. Such a
 * bound is stored as the empty key.
 */
export function isLowestBound(scheme: VersionScheme, introduced: string | null): boolean {
  return introduced === null || introduced === '0' || (scheme === 'semver' && introduced === '0.0.0-0')
}

/**
 * Whether a version lies in an interval (OSV schema 1.7, "Evaluation"). undefined: unknown, because the version, or the deciding bound,
 * cannot be ordered. A bound that excludes the version decides without the other one.
 */
export function isInside(
  scheme: VersionScheme,
  version: string,
  { introduced, upper, upperIncluded }: VersionInterval,
): boolean | undefined {
  if (!isOrderable(scheme, version)) return undefined
  const isAbove =
    isLowestBound(scheme, introduced) || introduced === null ? true : reaches(scheme, version, introduced)
  const isBelow = upper === null ? true : endsBehind(scheme, version, { upper, upperIncluded })
  if (isAbove === false || isBelow === false) return false
  return isAbove === undefined || isBelow === undefined ? undefined : true
}

function reaches(scheme: VersionScheme, version: string, lower: string): boolean | undefined {
  const order = orderWith(scheme, version, lower)
  return order === undefined ? undefined : order >= 0
}

function endsBehind(
  scheme: VersionScheme,
  version: string,
  { upper, upperIncluded }: { upper: string; upperIncluded: boolean },
): boolean | undefined {
  const compared = scheme === 'pep440' && upperIncluded ? comparedWith(version, upper) : version
  const order = orderWith(scheme, compared, upper)
  if (order === undefined) return undefined
  return upperIncluded ? order <= 0 : order < 0
}

function orderWith(scheme: VersionScheme, version: string, bound: string): number | undefined {
  return isOrderable(scheme, bound) ? orderingOf(scheme).compare(version, bound) : undefined
}
