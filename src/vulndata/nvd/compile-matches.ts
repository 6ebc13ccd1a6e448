import { concreteText, cpePackageKey, parseCpe, type Cpe } from '../../formats/cpe/cpe.ts'
import { cpeVersion, targetStream } from '../../formats/identity/cpe-reading.ts'
import { justAbove } from '../../formats/versions/generic/just-above.ts'
import { versionKey } from '../../formats/versions/ordering.ts'
import { isLowestBound } from '../../formats/versions/range.ts'
import type { CompiledRange, RangeDoubt } from '../osv/compile-ranges.ts'
import { maxRecorded, type VulnerableMatch } from './configurations.ts'

/** A range on a product named by CPE. */
export type CpeRange = CompiledRange & {
  /** What the product runs on when it is affected, as CPE names: recorded, not required. */
  runningOn: readonly string[]
}

export type CompiledMatches = {
  /** Those without a doubt first. */
  ranges: CpeRange[]
  /** Bounds and versions that no order knows; their ranges are left out. */
  unorderedBounds: number
}

const scheme = 'generic'
const lowestKey = new Uint8Array(0)

/**
 * The vulnerable products of an NVD entry as ranges under package keys (`cpe`, part:vendor:product), the place of each being what the
 * product runs in (`targetStream`). Names without a concrete part, vendor and product are left out: they would match everything.
 *
 * - Bounds make a range. An excluded lower bound is the lowest key above its version, shown as `> 1.2`.
 * - One version (with its update) is listed.
 * - `*` without bounds is every version, with a doubt.
 * - `-` has no version, so it meets only components that state none.
 * - Patterns (`1.?`) have no place in the order and are left out.
 */
export function compileMatches(matches: readonly VulnerableMatch[]): CompiledMatches {
  const rows = new Map<string, CpeRange>()
  let unorderedBounds = 0
  for (const match of matches) {
    const cpe = parseCpe(match.criteria)
    const packageKey = cpe && cpePackageKey(cpe)
    if (cpe === undefined || packageKey === undefined) continue
    const interval = intervalOf(cpe, match)
    if (interval === undefined) {
      unorderedBounds += 1
      continue
    }
    const place = { packageKey, release: '', stream: targetStream(cpe), scheme }
    const row = { ...place, ...interval, doubt: doubtOf(cpe, interval), runningOn: match.runningOn }
    const id = identityOf(row)
    const same = rows.get(id)?.runningOn ?? []
    rows.set(id, { ...row, runningOn: [...new Set([...same, ...row.runningOn])].slice(0, maxRecorded) })
  }
  const ranges = [...rows.values()].sort((a, b) => Number(a.doubt !== null) - Number(b.doubt !== null))
  return { ranges, unorderedBounds }
}

type Interval = Pick<
  CompiledRange,
  'kind' | 'lowerKey' | 'upperKey' | 'upperIncluded' | 'introduced' | 'upperText'
>

function intervalOf(cpe: Cpe, match: VulnerableMatch): Interval | undefined {
  const { startIncluding, startExcluding, endIncluding, endExcluding } = match
  const hasBounds = [startIncluding, startExcluding, endIncluding, endExcluding].some(
    (bound) => bound !== null,
  )
  if (hasBounds || cpe.version.kind === 'any') return boundedInterval(match)
  return listedInterval(cpe)
}

/** An included bound counts before an excluded one beside it: the wider reading is the safe one. */
function boundedInterval(match: VulnerableMatch): Interval | undefined {
  const lower = lowerBound(match)
  const upperText = match.endIncluding ?? match.endExcluding
  const upperKey = upperText === null ? null : versionKey(scheme, upperText)
  if (lower === undefined || (upperText !== null && upperKey === null)) return undefined
  return { ...lower, kind: 'range', upperKey, upperText, upperIncluded: match.endIncluding !== null }
}

function lowerBound({
  startIncluding,
  startExcluding,
}: VulnerableMatch): Pick<Interval, 'introduced' | 'lowerKey'> | undefined {
  const text = startIncluding ?? startExcluding
  if (text === null || (startIncluding !== null && isLowestBound(scheme, text))) {
    return { introduced: '0', lowerKey: lowestKey }
  }
  const key = versionKey(scheme, text)
  if (key === null) return undefined
  return startIncluding === null
    ? { introduced: `> ${text}`, lowerKey: justAbove(key) }
    : { introduced: text, lowerKey: key }
}

/** Without a key (`-`, or a name such as `vista`) it meets no version, only components that state none. */
function listedInterval(cpe: Cpe): Interval | undefined {
  const version = cpe.version.kind === 'na' ? '-' : cpeVersion(cpe)
  const isPattern = cpe.update.kind === 'text' && cpe.update.hasWildcard
  if (version === null || isPattern) return undefined
  const key = versionKey(scheme, version)
  return {
    kind: 'listed',
    lowerKey: key,
    upperKey: key,
    upperIncluded: true,
    introduced: version,
    upperText: version,
  }
}

function doubtOf(cpe: Cpe, { kind, lowerKey, upperKey }: Interval): RangeDoubt | null {
  if (kind === 'range' && lowerKey?.length === 0 && upperKey === null) return 'any_version'
  const narrower = [cpe.edition, cpe.language, cpe.swEdition, cpe.targetHw, cpe.other]
  const isNarrower = narrower.some((value) => value.kind === 'text')
  // an update narrows bounds, while a version it belongs to is listed with it
  const hasUpdate = kind === 'range' && concreteText(cpe.update) !== null
  return isNarrower || hasUpdate ? 'edition' : null
}

function identityOf(row: CpeRange): string {
  const { packageKey, stream, kind, introduced, upperText, upperIncluded, doubt } = row
  return JSON.stringify([packageKey, stream, kind, introduced, upperText, upperIncluded, doubt])
}
