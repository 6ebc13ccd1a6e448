import type { Verdict, VexVersionRange } from '../../contract/vex/shapes.ts'
import { readVers, schemeOfType } from '../../identities/vers/vers.ts'
import { orderingOf } from '../../versions/ordering.ts'

/** The versions a verdict is narrowed to. A range is taken apart when it is first asked. */
export type ReadVersions = readonly {
  status: VexVersionRange['status']
  holds: VersionTest
  bounds: number
}[]

/** A version, the release that it is of where it says more than that, and the purl type whose rules order it; null where no purl says. */
export type TypedVersion = { version: string; release: string | null; purlType: string | null }

type VersionTest = (tested: TypedVersion) => boolean

/** Reads `affects[].versions` (CycloneDX 1.4-1.7). An entry that cannot be read holds for no version. */
export function readVersions(versions: readonly VexVersionRange[]): ReadVersions {
  return versions.map(({ version, range, status }) => ({
    status,
    holds: range === undefined ? equals(version ?? '') : inRange(range),
    bounds: range === undefined ? 1 : range.split('|').length,
  }))
}

function inRange(range: string): VersionTest {
  let contains: ((version: string) => boolean) | undefined
  return (tested) => {
    contains ??= readVers(range) ?? (() => false)
    return contains(tested.release ?? tested.version)
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
  const [left, right] = purlType === 'golang' ? [comparedGoVersion(a), comparedGoVersion(b)] : [a, b]
  if (left === right) return true
  const scheme = purlType === null ? undefined : schemeOfType(purlType)
  if (scheme === undefined || buildOf(left) !== buildOf(right)) return false
  return orderingOf(scheme).compare(left, right) === 0
}

function equals(version: string): VersionTest {
  return ({ version: stated, release, purlType }) =>
    isSameVersion(version, stated, purlType) || isSameVersion(version, release ?? stated, purlType)
}

/** `+incompatible` says of a module's path that it does not have the major version; it is no build (https://go.dev/ref/mod#incompatible-versions). */
function comparedGoVersion(version: string): string {
  return version.replace(/^v/, '').replace(/\+incompatible$/, '')
}

function buildOf(version: string): string {
  const plus = version.indexOf('+')
  return plus === -1 ? '' : version.slice(plus)
}
