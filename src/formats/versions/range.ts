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
 * Whether a version lies in an interval (OSV schema 1.7, "Evaluation"). undefined: the version or a bound cannot
 * be ordered, so nothing can be said.
 */
export function isInside(
  scheme: VersionScheme,
  version: string,
  interval: VersionInterval,
): boolean | undefined {
  const { introduced, upper, upperIncluded } = interval
  const lower = isLowestBound(scheme, introduced) ? null : introduced
  const named = [version, lower, upper].filter((text) => text !== null)
  if (!named.every((text) => isOrderable(scheme, text))) return undefined

  const { compare } = orderingOf(scheme)
  if (lower !== null && (compare(version, lower) ?? -1) < 0) return false
  if (upper === null) return true
  const order = compare(version, upper) ?? 1
  return upperIncluded ? order <= 0 : order < 0
}
