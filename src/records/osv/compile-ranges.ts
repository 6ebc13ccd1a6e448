import { affectedPackage, isToldByFix, type AffectedPackage } from '../../identities/affected-package.ts'
import { packageKey } from '../../formats/purl/package-key.ts'
import type { VersionScheme } from '../../versions/ordering.ts'
import { repositoryName } from '../../identities/repositories/repository.ts'
import { withLocalVersions } from '../../versions/pep440/local.ts'
import { versionOfTag } from '../../versions/tag-version.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import {
  listedRange,
  noRanges,
  placeOf,
  type BinarySource,
  textKey,
  withSpellings,
  type CompiledRange,
  type CompiledRanges,
  type RangeDoubt,
} from '../compiled-record.ts'
import { isMalwareId } from '../malware-id.ts'
import { compileRepository } from './compile-repository.ts'
import { hasKeys, intervalsOf, isCovered, keyOf, type Interval } from './intervals.ts'
import type { OsvAffected, OsvEvent, OsvRecord } from './read-record.ts'

/** Raised whenever the same record compiles to different rows or another severity: what is stored is then replaced at the next import. */
export const compilerGeneration = 14

const maxRanges = 200_000

/**
 * The affected versions of a record as intervals under package keys (OSV schema 1.7, "Evaluation"): affected is what lies in a range or
 * in the list of versions. Of the list only versions outside the ranges are kept, as intervals of one version. For a malware
 * record with both only the list counts, because its ranges include every good version too. Withdrawn records affect nothing.
 */
export function compileRanges(record: OsvRecord): CompiledRanges {
  if (record.withdrawnAt !== null) return noRanges()
  const rows = new Map<string, CompiledRange>()
  const binaries: BinarySource[] = []
  let unorderedBounds = 0
  for (const affected of record.affected) {
    const compiled = compilePackage(record, affected)
    const apart = compileApart(affected)
    unorderedBounds += compiled.unorderedBounds
    for (const row of [...compiled.ranges.flatMap(withSpellings), ...apart.ranges])
      rows.set(identityOf(row), row)
    binaries.push(...binarySources(affected), ...apart.binaries)
    if (rows.size > maxRanges)
      throw new RefusedData(`${record.id}: affects more than ${maxRanges} ranges of versions`)
  }
  return { ranges: [...rows.values()], binaries, unorderedBounds }
}

/** Packages with the name of their source need no entry. */
function binarySources({ ecosystem, name, binaries = [] }: OsvAffected): BinarySource[] {
  const source = affectedPackage(ecosystem, name)
  if (source === undefined) return []
  return binaries.flatMap((binary): BinarySource[] => {
    const key = packageKey(source.ecosystem, binary)
    return key === undefined || key === source.packageKey ? [] : [[key, source.release, source.packageKey]]
  })
}

/**
 * Packages whose versions are not those of the source are affected in these, under a key that no package has: a source may be called as what another
 * one is built into.
 */
function compileApart({ ecosystem, name, countedApart = [] }: OsvAffected) {
  const ranges: CompiledRange[] = []
  const binaries: BinarySource[] = []
  for (const { name: binary, fixed } of countedApart) {
    const source = affectedPackage(ecosystem, name, { fixed })
    if (source === undefined) continue
    const key = packageKey(source.ecosystem, binary)
    const own = packageKey(source.ecosystem, `${binary} of ${name}`)
    if (key === undefined || own === undefined) continue
    binaries.push([key, source.release, own])
    const { intervals } = intervalsOf(
      source.scheme,
      fixed === null ? [theFirst] : [theFirst, { kind: 'fixed', version: fixed }],
    )
    const subject = { ...source, packageKey: own }
    for (const interval of intervals)
      ranges.push(rangeRow({ subject, interval, doubt: interval.isDecided ? null : 'unordered_bound' }))
  }
  return { ranges, binaries }
}

type Placed = { subject: AffectedPackage; interval: Interval; doubt: RangeDoubt | null }

function compilePackage(record: OsvRecord, affected: OsvAffected): CompiledRanges {
  if (affected.commits !== undefined)
    return { ranges: [...compileRepository(affected), ...compileUntagged(affected)], unorderedBounds: 0 }
  const subjectOf = subjectsOf(record, affected)
  const isMalware = isMalwareId(record.id) && affected.versions.length > 0
  // whose ranges are of patch levels (`13:2023-06-01`), which no component states
  const isListAlone = isMalware || affected.ecosystem === 'Android'
  const placed: Placed[] = []
  let unorderedBounds = 0
  for (const events of isListAlone ? [] : affected.ranges) {
    const compiled = compileEvents(affected, events, subjectOf)
    placed.push(...compiled.placed)
    unorderedBounds += compiled.unordered
  }
  const listed = compileListed(affected, placed, subjectOf)
  const rows = saysNoVersion(affected) ? anyVersion(subjectOf(null)) : [...placed.map(rangeRow), ...listed]
  return { ranges: rows.map(inDoubt(affected.ecosystem)), unorderedBounds }
}

/** Of a repository none of whose tags are listed: which of its versions are affected is not known, but they can only lie in these ranges. */
function compileUntagged({ ecosystem, name, ranges, versions }: OsvAffected): CompiledRange[] {
  const subject = versions.length > 0 ? undefined : affectedPackage(ecosystem, name)
  if (subject === undefined) return []
  const versionOf = ({ kind, version }: OsvEvent) => ({
    kind,
    version: versionOfTag(version, repositoryName(name)),
  })
  return ranges.flatMap((events) =>
    startedIntervals(subject.scheme, events.map(versionOf)).intervals.map((interval) =>
      rangeRow({ subject, interval, doubt: isAny(interval) ? 'any_version' : 'product_of_repository' }),
    ),
  )
}

function isAny({ lower, upper }: Interval): boolean {
  return lower.isLowest && upper === null
}

/** Nothing, or only in which commits: what is affected of the package, nobody knows. */
function saysNoVersion({ ranges, versions }: OsvAffected): boolean {
  return versions.length === 0 && ranges.length === 0
}

const theFirst: OsvEvent = { kind: 'introduced', version: '0' }

function anyVersion(subject: AffectedPackage | undefined): CompiledRange[] {
  if (subject === undefined) return []
  const [interval] = intervalsOf(subject.scheme, [theFirst]).intervals
  return interval === undefined ? [] : [rangeRow({ subject, interval, doubt: 'any_version' })]
}

/** Ecosystems of systems that everybody builds from parts of their source. */
const builtInParts = new Set(['Linux', 'Android'])

/** An affected version of a kernel says little about what somebody built from it. */
function inDoubt(ecosystem: string): (row: CompiledRange) => CompiledRange {
  const isPart = builtInParts.has(ecosystem)
  return (row) => (isPart ? { ...row, doubt: row.doubt ?? 'kernel_part' } : row)
}

/** The version that ends an interval reveals the release and stream it was built for, so each interval is placed by its own. */
function compileEvents(
  affected: OsvAffected,
  events: readonly OsvEvent[],
  subjectOf: SubjectOf,
): { placed: Placed[]; unordered: number } {
  const fixed = events.find((event) => event.kind === 'fixed')?.version ?? null
  const subject = subjectOf(fixed)
  if (subject === undefined) return { placed: [], unordered: 0 }
  const { intervals, unordered } = startedIntervals(subject.scheme, events)
  const placed: Placed[] = []
  for (const interval of intervals) {
    const end = interval.upperIncluded ? null : (interval.upper?.text ?? null)
    const own = end === fixed ? subject : subjectOf(end)
    if (own === undefined) continue
    const known = knownPart(own.scheme, affected, interval)
    if (known !== null) placed.push({ subject: own, interval: known, doubt: null })
    const doubt = known === null ? doubtOf(affected, interval) : 'beyond_last_known'
    placed.push({ subject: own, interval, doubt })
  }
  return { placed, unordered: unordered.length }
}

/** The schema requires a start; where none is stated, all before the end is possibly affected. */
function startedIntervals(
  scheme: VersionScheme,
  events: readonly OsvEvent[],
): ReturnType<typeof intervalsOf> {
  const kinds = new Set(events.map(({ kind }) => kind))
  const hasEnd = kinds.has('fixed') || kinds.has('last_affected')
  if (kinds.has('introduced') || !hasEnd) return intervalsOf(scheme, events)
  const { intervals, unordered } = intervalsOf(scheme, [theFirst, ...events])
  return { intervals: intervals.map((interval) => ({ ...interval, isDecided: false })), unordered }
}

/**
 * Of an interval without an end the part up to the last version that is known to be affected; null: nothing is said of it. The end has no text,
 * because nothing is fixed in it; where the order of its versions has no keys, the bytes of the version stand for the key.
 */
function knownPart(
  scheme: VersionScheme,
  { lastKnown }: OsvAffected,
  { lower, upper, isDecided }: Interval,
): Interval | null {
  if (lastKnown === undefined || upper !== null || !isDecided) return null
  const kind = lastKnown.isIncluded ? 'last_affected' : 'fixed'
  const events: OsvEvent[] = [
    { kind: 'introduced', version: lower.text },
    { kind, version: lastKnown.version },
  ]
  const [known] = intervalsOf(scheme, events).intervals
  if (known === undefined || known.upper === null || !known.isDecided) return null
  const key = known.upper.key ?? textKey(known.upper.text)
  return { ...known, upper: { ...known.upper, key }, isEndUnfixed: true }
}

/** Where the source could not map a project's own versions it leaves the range open and names those versions beside it (Go's vulnerability database). */
function doubtOf({ customFixes }: OsvAffected, { isDecided, upper }: Interval): RangeDoubt | null {
  if (!isDecided) return 'unordered_bound'
  return customFixes !== undefined && upper === null ? 'custom_range' : null
}

/** The package of an entry, by the version that ends an interval of it. */
type SubjectOf = (fixed: string | null) => AffectedPackage | undefined

function subjectsOf(
  { summary: title }: OsvRecord,
  { ecosystem, name, architecture }: OsvAffected,
): SubjectOf {
  if (isToldByFix(ecosystem))
    return (fixed) => affectedPackage(ecosystem, name, { fixed, title, architecture })
  const subject = affectedPackage(ecosystem, name)
  return () => subject
}

/** The rows of listed versions that no range covers. */
function compileListed(
  { versions }: OsvAffected,
  placed: readonly Placed[],
  subjectOf: SubjectOf,
): CompiledRange[] {
  const rows: CompiledRange[] = []
  let place: AffectedPackage | undefined
  let intervals: Interval[] = []
  for (const version of versions) {
    const subject = subjectOf(version)
    if (subject === undefined) continue
    if (subject !== place) {
      place = subject
      intervals = placed
        .filter((range) => range.doubt === null && isSamePlace(range.subject, subject))
        .map((range) => range.interval)
    }
    if (isCovered(subject.scheme, version, intervals) !== true) rows.push(listedRow(subject, version))
  }
  return rows
}

/** A version without a key is found by its text, one of PEP 440 also by its local versions. */
function listedRow(subject: AffectedPackage, version: string): CompiledRange {
  const key = hasKeys(subject.scheme) ? keyOf(subject.scheme, version) : null
  const row = listedRange(subject, version, key)
  return key !== null && subject.scheme === 'pep440' ? { ...row, upperKey: withLocalVersions(key) } : row
}

function isSamePlace(a: AffectedPackage, b: AffectedPackage): boolean {
  return a.packageKey === b.packageKey && a.release === b.release && a.stream === b.stream
}

function rangeRow({ subject, interval, doubt }: Placed): CompiledRange {
  const { lower, upper, upperIncluded, isEndUnfixed } = interval
  return {
    ...placeOf(subject),
    kind: 'range',
    lowerKey: lower.key,
    upperKey: upper?.key ?? null,
    upperIncluded,
    introduced: lower.text,
    upperText: isEndUnfixed === true ? null : (upper?.text ?? null),
    doubt,
  }
}

/** No part holds a control character but the package key, in which none of these is. */
function identityOf(row: CompiledRange): string {
  const { packageKey, release, stream, kind, introduced, upperText, upperKey, upperIncluded, doubt } = row
  // an end that is not a fix has only a key
  const end = upperText ?? `\r${Buffer.from(upperKey ?? []).toString('hex')}`
  return `${packageKey}\n${release}\n${stream}\n${kind}\n${introduced}\n${end}\n${upperIncluded}\n${doubt ?? ''}`
}
