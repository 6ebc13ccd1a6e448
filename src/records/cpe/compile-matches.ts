import { concreteText, cpePackageKey, parseCpe, type Cpe } from '../../formats/cpe.ts'
import { cpeVersion, narrowerAttributes } from '../../identities/cpe-reading.ts'
import { endOfBranch, startOfBranch } from '../../formats/version-branch.ts'
import { justAbove } from '../../versions/generic/just-above.ts'
import { versionKey } from '../../versions/ordering.ts'
import { isLowestBound } from '../../versions/range.ts'
import type { CompiledRange, RangeDoubt } from '../compiled-record.ts'
import { maxRecorded, type VulnerableMatch } from './vulnerable-match.ts'

/** A range on a product named by CPE. */
export type CpeRange = CompiledRange & {
  /** What the product runs on when it is affected, as CPE names: recorded, not required. */
  runningOn: readonly string[]
}

export type CompiledMatches = {
  /** Those without a doubt first. */
  ranges: CpeRange[]
  /** Bounds and patterns that no order knows; their ranges are in doubt. */
  unorderedBounds: number
}

const scheme = 'generic'
const lowestKey = new Uint8Array(0)

/**
 * The vulnerable products of an NVD entry as ranges under package keys (`cpe`, part:vendor:product), the stream of each being what
 * narrows the product (`narrowerAttributes`). Names without a concrete part, vendor and product are left out: they would match everything.
 *
 * - Bounds make a range. An excluded lower bound is the lowest key above its version, shown as `> 1.2`.
 * - One version (with its update) is listed.
 * - `*` without bounds is every version, in doubt.
 * - `-` has no version, so it meets only components that state none, whatever its bounds are.
 * - Bounds and patterns (`1.?`) without a place in the order are dropped: the rest of the range is in doubt.
 */
export function compileMatches(matches: readonly VulnerableMatch[]): CompiledMatches {
  const rows = new Map<string, CpeRange>()
  let unorderedBounds = 0
  for (const match of matches) {
    const cpe = parseCpe(match.criteria)
    const packageKey = cpe && cpePackageKey(cpe)
    if (cpe === undefined || packageKey === undefined) continue
    const bounds = intervalOf(cpe, match)
    const interval = { ...bounds, isDecided: bounds.isDecided && match.hasUnorderedChange !== true }
    if (!interval.isDecided) unorderedBounds += 1
    const place = { packageKey, release: '', stream: narrowerAttributes(cpe), scheme }
    const { isDecided: _, ...placed } = bounds
    const row = {
      ...place,
      ...placed,
      doubt: match.doubt ?? doubtOf(cpe, interval),
      runningOn: match.runningOn,
    }
    const id = identityOf(row)
    const same = rows.get(id)?.runningOn ?? []
    rows.set(id, { ...row, runningOn: [...new Set([...same, ...row.runningOn])].slice(0, maxRecorded) })
  }
  const ranges = [...rows.values()].sort((a, b) => Number(a.doubt !== null) - Number(b.doubt !== null))
  return { ranges, unorderedBounds }
}

/** Whether some range lies in the order of versions, with all of its bounds. */
export function hasOrder({ ranges }: CompiledMatches): boolean {
  return ranges.some(
    ({ lowerKey, doubt }) => lowerKey !== null && doubt !== 'unordered_bound' && doubt !== 'any_version',
  )
}

type Interval = Pick<
  CompiledRange,
  'kind' | 'lowerKey' | 'upperKey' | 'upperIncluded' | 'introduced' | 'upperText'
> & { isDecided: boolean }

function intervalOf(cpe: Cpe, match: VulnerableMatch): Interval {
  const { startIncluding, startExcluding, endIncluding, endExcluding } = match
  const hasBounds = [startIncluding, startExcluding, endIncluding, endExcluding].some(
    (bound) => bound !== null,
  )
  if (cpe.version.kind === 'na') return listed('-')
  if (hasBounds || cpe.version.kind === 'any') return boundedInterval(match)
  const version = cpeVersion(cpe)
  return version === null ? patternInterval(cpe) : listed(version)
}

/** An included bound counts before an excluded one beside it: the wider reading is the safe one. */
function boundedInterval(match: VulnerableMatch): Interval {
  // a single version that no order knows is matched by its text
  const { startIncluding, endIncluding } = match
  if (
    startIncluding !== null &&
    startIncluding === endIncluding &&
    versionKey(scheme, startIncluding) === null
  )
    return listed(startIncluding)
  const lower = lowerBound(match)
  const upperText = match.endIncluding ?? match.endExcluding
  const upperKey = upperText === null ? null : boundKey(upperText)
  const upperIncluded = match.endIncluding !== null
  const isTurned = isEmpty(lower.lowerKey, upperKey, upperIncluded)
  const isDecided = lower.isDecided && (upperText === null || upperKey !== null) && !isTurned
  return {
    ...lower,
    // a range without a version in it: any version before its end may be meant
    ...(isTurned ? { introduced: '0', lowerKey: lowestKey } : {}),
    kind: 'range',
    upperKey,
    upperText: match.hasNoFix === true ? null : upperText,
    upperIncluded,
    isDecided,
  }
}

function isEmpty(lower: Uint8Array | null, upper: Uint8Array | null, upperIncluded: boolean): boolean {
  if (lower === null || upper === null || lower.length === 0) return false
  const order = Buffer.compare(lower, upper)
  return order > 0 || (order === 0 && !upperIncluded)
}

function lowerBound({
  startIncluding,
  startExcluding,
}: VulnerableMatch): Pick<Interval, 'introduced' | 'lowerKey' | 'isDecided'> {
  const text = startIncluding ?? startExcluding
  if (text === null || (startIncluding !== null && isLowestBound(scheme, text))) {
    return { introduced: '0', lowerKey: lowestKey, isDecided: true }
  }
  const key = startIncluding === null ? boundKey(text) : versionKey(scheme, startOfBranch(text))
  const introduced = startIncluding === null ? `> ${text}` : text
  if (key === null) return { introduced, lowerKey: lowestKey, isDecided: false }
  return { introduced, lowerKey: startIncluding === null ? justAbove(key) : key, isDecided: true }
}

/** `6.1.*` is the end of that branch. */
function boundKey(text: string): Uint8Array | null {
  return versionKey(scheme, endOfBranch(text))
}

/** Without a key (`-`, or a name such as `vista`) it meets no version but its own text, and components that state none. */
function listed(version: string): Interval {
  const key = versionKey(scheme, version)
  return {
    kind: 'listed',
    lowerKey: key,
    upperKey: key,
    upperIncluded: true,
    introduced: version,
    upperText: version,
    isDecided: true,
  }
}

function patternInterval({ version }: Cpe): Interval {
  const introduced = version.kind === 'text' ? version.text : '*'
  return {
    kind: 'range',
    lowerKey: lowestKey,
    upperKey: null,
    upperIncluded: false,
    introduced,
    upperText: null,
    isDecided: false,
  }
}

function doubtOf(cpe: Cpe, { kind, lowerKey, upperKey, isDecided }: Interval): RangeDoubt | null {
  if (!isDecided) return 'unordered_bound'
  if (kind === 'range' && lowerKey?.length === 0 && upperKey === null) return 'any_version'
  // a component's attributes are compared with the stream, which has no patterns
  const narrower = [cpe.edition, cpe.language, cpe.swEdition, cpe.targetSw, cpe.targetHw, cpe.other]
  const hasPattern = [...narrower, cpe.update].some((value) => value.kind === 'text' && value.hasWildcard)
  // an update narrows bounds, while a version it belongs to is listed with it
  const hasUpdate = kind === 'range' && concreteText(cpe.update) !== null
  return hasPattern || hasUpdate ? 'edition' : null
}

function identityOf(row: CpeRange): string {
  const { packageKey, stream, kind, introduced, upperText, upperIncluded, doubt } = row
  return JSON.stringify([packageKey, stream, kind, introduced, upperText, upperIncluded, doubt])
}
