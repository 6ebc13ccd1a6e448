import { affectedPackage, type AffectedPackage } from '../../../formats/identity/affected-package.ts'
import { versionKey } from '../../../formats/versions/ordering.ts'
import { RefusedData } from '../../documents/refused-data.ts'
import type { CompiledRange, CompiledRanges, RangeDoubt } from '../../records/compiled-record.ts'
import { hasKeys, intervalsOf, isCovered, type Interval } from './intervals.ts'
import type { OsvAffected, OsvEvent, OsvRecord } from './read-record.ts'

/** Raised whenever the same record compiles to other rows than before: stored ranges are then replaced at the next import. */
export const compilerGeneration = 2

const maxRanges = 200_000
const malwarePrefix = 'MAL-'

/**
 * The affected versions of a record as intervals under package keys (OSV schema 1.7, "Evaluation"): affected is what lies in a range or
 * in the list of versions. Of the list only versions outside the ranges are kept, as intervals of one version. A malware record
 * with both is read by its list alone, because its ranges name every good version too. Withdrawn records affect nothing.
 */
export function compileRanges(record: OsvRecord): CompiledRanges {
  if (record.withdrawnAt !== null) return { ranges: [], unorderedBounds: 0 }
  const rows = new Map<string, CompiledRange>()
  let unorderedBounds = 0
  for (const affected of record.affected) {
    const compiled = compilePackage(record, affected)
    unorderedBounds += compiled.unorderedBounds
    for (const row of compiled.ranges) rows.set(identityOf(row), row)
    if (rows.size > maxRanges)
      throw new RefusedData(`${record.id}: affects more than ${maxRanges} ranges of versions`)
  }
  return { ranges: [...rows.values()], unorderedBounds }
}

type Placed = { subject: AffectedPackage; interval: Interval; doubt: RangeDoubt | null }

function compilePackage(record: OsvRecord, affected: OsvAffected): CompiledRanges {
  const isListAlone = record.id.startsWith(malwarePrefix) && affected.versions.length > 0
  const placed: Placed[] = []
  let unorderedBounds = 0
  for (const events of isListAlone ? [] : affected.ranges) {
    const compiled = compileEvents(record, affected, events)
    placed.push(...compiled.placed)
    unorderedBounds += compiled.unordered
  }
  const listed = affected.versions.flatMap(
    (version) => listedRow(record, affected, { version, placed }) ?? [],
  )
  return { ranges: [...placed.map(rangeRow), ...listed], unorderedBounds }
}

/** The version that ends an interval tells for which release and stream it was built, so each interval is placed by its own. */
function compileEvents(
  record: OsvRecord,
  affected: OsvAffected,
  events: readonly OsvEvent[],
): { placed: Placed[]; unordered: number } {
  const fixed = events.find((event) => event.kind === 'fixed')?.version ?? null
  const subject = subjectOf(record, affected, fixed)
  if (subject === undefined) return { placed: [], unordered: 0 }
  const { intervals, unordered } = intervalsOf(subject.scheme, events)
  const placed: Placed[] = []
  for (const interval of intervals) {
    const end = interval.upperIncluded ? null : (interval.upper?.text ?? null)
    const own = end === fixed ? subject : subjectOf(record, affected, end)
    if (own !== undefined) placed.push({ subject: own, interval, doubt: doubtOf(affected, interval) })
  }
  return { placed, unordered: unordered.length }
}

/** Where the source could not map a project's own versions it leaves the range open and names them beside it (Go's vulnerability database). */
function doubtOf({ customFixes }: OsvAffected, { isDecided, upper }: Interval): RangeDoubt | null {
  if (!isDecided) return 'unordered_bound'
  return customFixes !== undefined && upper === null ? 'custom_range' : null
}

function subjectOf(
  record: OsvRecord,
  affected: OsvAffected,
  fixed: string | null,
): AffectedPackage | undefined {
  return affectedPackage(affected.ecosystem, affected.name, { fixed, title: record.summary })
}

type Listed = { version: string; placed: readonly Placed[] }

/** The row of one listed version; undefined where a range says the same. A version without a key is found by its text. */
function listedRow(
  record: OsvRecord,
  affected: OsvAffected,
  { version, placed }: Listed,
): CompiledRange | undefined {
  const subject = subjectOf(record, affected, version)
  if (subject === undefined) return undefined
  const intervals = placed
    .filter((range) => range.doubt === null && isSamePlace(range.subject, subject))
    .map((range) => range.interval)
  if (isCovered(subject.scheme, version, intervals) === true) return undefined
  const key = hasKeys(subject.scheme) ? versionKey(subject.scheme, version) : null
  return {
    ...placeOf(subject),
    kind: 'listed',
    lowerKey: key,
    upperKey: key,
    upperIncluded: true,
    introduced: version,
    upperText: version,
    doubt: null,
  }
}

function isSamePlace(a: AffectedPackage, b: AffectedPackage): boolean {
  return a.packageKey === b.packageKey && a.release === b.release && a.stream === b.stream
}

type Place = Pick<CompiledRange, 'packageKey' | 'release' | 'stream' | 'scheme'>

function placeOf({ packageKey, release, stream, scheme }: AffectedPackage): Place {
  return { packageKey, release, stream, scheme }
}

function rangeRow({ subject, interval: { lower, upper, upperIncluded }, doubt }: Placed): CompiledRange {
  return {
    ...placeOf(subject),
    kind: 'range',
    lowerKey: lower.key,
    upperKey: upper?.key ?? null,
    upperIncluded,
    introduced: lower.text,
    upperText: upper?.text ?? null,
    doubt,
  }
}

/** No part holds a control character but the package key, in which none of these is. */
function identityOf(row: CompiledRange): string {
  const { packageKey, release, stream, kind, introduced, upperText, upperIncluded } = row
  return `${packageKey}\n${release}\n${stream}\n${kind}\n${introduced}\n${upperText ?? '\r'}\n${upperIncluded}`
}
