import { isOrderable, orderingOf, versionKey, type VersionScheme } from '../../versions/ordering.ts'
import { withLocalVersions } from '../../versions/pep440/local.ts'
import { isInside, isLowestBound } from '../../versions/range.ts'
import type { OsvEvent } from './read-record.ts'

/** A version of a record with its key; `isLowest` is below every version. */
type Bound = { text: string; key: Uint8Array | null; isLowest: boolean }

/** Affected versions from `lower` on, up to `upper`; no upper bound: all later ones. */
export type Interval = {
  lower: Bound
  upper: Bound | null
  upperIncluded: boolean
  /** False: a bound cannot be ordered and is dropped, so anything between the others is only possibly affected. */
  isDecided: boolean
  /** The upper bound is the last known version, not a fix. */
  isEndUnfixed?: boolean
}

const lowestKey = new Uint8Array(0)

/** A version as the bound of an interval; undefined where the scheme cannot order it. */
function boundOf(scheme: VersionScheme, text: string): Bound | undefined {
  if (isLowestBound(scheme, text)) return { text, key: hasKeys(scheme) ? lowestKey : null, isLowest: true }
  if (!hasKeys(scheme)) return isOrderable(scheme, text) ? { text, key: null, isLowest: false } : undefined
  const key = keyOf(scheme, text)
  return key === null ? undefined : { text, key, isLowest: false }
}

/** Where an event lies. What is affected up to a version of PEP 440 is so with its local versions. */
function boundOfEvent(scheme: VersionScheme, { kind, version }: OsvEvent): Bound | undefined {
  const bound = boundOf(scheme, version)
  if (scheme !== 'pep440' || kind !== 'last_affected' || bound === undefined || bound.key === null)
    return bound
  return { ...bound, key: withLocalVersions(bound.key) }
}

const keys = new Map<VersionScheme, Map<string, Uint8Array | null>>()
const maxKeys = 4_096

/** `versionKey`, cached: an erratum names the same version for all of its packages, and records on one package repeat versions. */
export function keyOf(scheme: VersionScheme, version: string): Uint8Array | null {
  let known = keys.get(scheme)
  if (known === undefined || known.size >= maxKeys)
    keys.set(scheme, (known = new Map<string, Uint8Array | null>()))
  let key = known.get(version)
  if (key === undefined) known.set(version, (key = versionKey(scheme, version)))
  return key
}

/** Whether the scheme's order can be expressed as bytes. */
export function hasKeys(scheme: VersionScheme): boolean {
  return orderingOf(scheme).key !== null
}

/** Below zero when `a` is the older one. Both are orderable, so the comparator has an answer. */
function compareBounds(scheme: VersionScheme, a: Bound, b: Bound): number {
  if (a.key !== null && b.key !== null) return Buffer.compare(a.key, b.key)
  if (a.isLowest || b.isLowest) return Number(b.isLowest) - Number(a.isLowest)
  return orderingOf(scheme).compare(a.text, b.text) ?? 0
}

type PlacedEvent = { kind: OsvEvent['kind']; at: Bound }

/**
 * The intervals a range's events describe (OSV schema 1.7, "Evaluation"). Events are sorted by the scheme's own order first, because
 * sources do not always sort them. `unordered` are the versions the scheme cannot order: they bound nothing, and an interval
 * whose bound is among them is not decided.
 */
export function intervalsOf(
  scheme: VersionScheme,
  events: readonly OsvEvent[],
): { intervals: Interval[]; unordered: string[] } {
  const placed: PlacedEvent[] = []
  const unordered: string[] = []
  for (const event of events) {
    const { kind, version } = event
    // a limit of `*` is no limit
    if (kind === 'limit' && version === '*') continue
    const at = boundOfEvent(scheme, event)
    if (at === undefined) unordered.push(version)
    else placed.push({ kind, at })
  }
  const compare = (a: PlacedEvent, b: PlacedEvent) => compareBounds(scheme, a.at, b.at)
  if (unordered.length > 0 || !isSortable(scheme, placed))
    return { intervals: asWritten(scheme, events), unordered }
  const turns = placed.filter((event) => event.kind !== 'limit').sort(compare)
  const limits = placed.filter((event) => event.kind === 'limit').sort(compare)
  const intervals = openAndClose(turns, (a, b) => compare(a, b) === 0)
  const limit = limits.at(-1)?.at
  return { intervals: limit === undefined ? intervals : clipped(scheme, intervals, limit), unordered }
}

/**
 * Walks the sorted events. Among events at one version the one that changes the state comes first: what is affected up to 2.0 and
 * affected from 2.0 on stays affected, and `introduced` with `last_affected` at one version is that version.
 */
function openAndClose(events: PlacedEvent[], isTie: (a: PlacedEvent, b: PlacedEvent) => boolean): Interval[] {
  const intervals: Interval[] = []
  let open: Bound | null = null
  for (const event of statefulOrder(events, isTie)) {
    if (event.kind === 'introduced') {
      open ??= event.at
    } else if (open !== null) {
      intervals.push({
        lower: open,
        upper: event.at,
        upperIncluded: event.kind === 'last_affected',
        isDecided: true,
      })
      open = null
    }
  }
  if (open !== null) intervals.push({ lower: open, upper: null, upperIncluded: false, isDecided: true })
  return intervals
}

function* statefulOrder(
  events: PlacedEvent[],
  isTie: (a: PlacedEvent, b: PlacedEvent) => boolean,
): Generator<PlacedEvent> {
  let isOpen = false
  for (let start = 0, end = 0; start < events.length; start = end) {
    const first = events[start]
    while (end < events.length && first !== undefined && isTie(first, events[end] ?? first)) end += 1
    const opening = events.slice(start, end).filter((event) => event.kind === 'introduced')
    const closing = events.slice(start, end).filter((event) => event.kind !== 'introduced')
    while (opening.length + closing.length > 0) {
      const next: PlacedEvent | undefined =
        (isOpen ? closing.shift() : opening.shift()) ?? opening.shift() ?? closing.shift()
      if (next === undefined) break
      isOpen = next.kind === 'introduced'
      yield next
    }
  }
}

/** `limit`: versions from it on are not affected, whatever the other events say; of several the highest counts. */
function clipped(scheme: VersionScheme, intervals: Interval[], limit: Bound): Interval[] {
  return intervals
    .filter((interval) => compareBounds(scheme, interval.lower, limit) < 0)
    .map((interval) => {
      const isBelow = interval.upper !== null && compareBounds(scheme, interval.upper, limit) < 0
      return isBelow ? interval : { ...interval, upper: limit, upperIncluded: false }
    })
}

/** Whether all neighbours can be ordered; only schemes without keys leave pairs open. */
function isSortable(scheme: VersionScheme, events: readonly PlacedEvent[]): boolean {
  if (hasKeys(scheme)) return true
  const bounds = events.map(({ at }) => at).filter(({ isLowest }) => !isLowest)
  const { compare } = orderingOf(scheme)
  const sorted = bounds.sort((a, b) => compareBounds(scheme, a, b))
  return sorted.every((bound, index) => {
    const next = sorted[index + 1]
    return next === undefined || compare(bound.text, next.text) !== undefined
  })
}

/**
 * Without an order of all events only pairs as the source wrote them can be trusted: each `introduced` with the next event that ends it. A
 * pair with a bound that cannot be ordered is kept undecided, and so are all of them where a limit cannot be.
 */
function asWritten(scheme: VersionScheme, events: readonly OsvEvent[]): Interval[] {
  const turns = events.filter(({ kind }) => kind !== 'limit')
  const intervals = turns.flatMap((event, index) =>
    event.kind === 'introduced' ? [writtenPair(scheme, event, turns.slice(index + 1).find(isEnd))] : [],
  )
  const limits = events
    .filter(({ kind, version }) => kind === 'limit' && version !== '*')
    .map(({ version }) => boundOf(scheme, version))
  if (limits.includes(undefined)) return intervals.map((interval) => ({ ...interval, isDecided: false }))
  const limit = limits
    .filter((bound) => bound !== undefined)
    .sort((a, b) => compareBounds(scheme, a, b))
    .at(-1)
  if (limit === undefined) return intervals
  const open = intervals.filter(({ isDecided }) => !isDecided)
  return [
    ...clipped(
      scheme,
      intervals.filter(({ isDecided }) => isDecided),
      limit,
    ),
    ...open,
  ]
}

function isEnd({ kind }: OsvEvent): boolean {
  return kind !== 'introduced'
}

function writtenPair(scheme: VersionScheme, start: OsvEvent, end: OsvEvent | undefined): Interval {
  const lower = boundOf(scheme, start.version)
  const upper = end === undefined ? null : boundOfEvent(scheme, end)
  return {
    lower: lower ?? { text: start.version, key: hasKeys(scheme) ? lowestKey : null, isLowest: true },
    upper:
      upper === undefined && end !== undefined
        ? { text: end.version, key: null, isLowest: false }
        : (upper ?? null),
    upperIncluded: end?.kind === 'last_affected',
    isDecided: lower !== undefined && upper !== undefined,
  }
}

/** Whether a version lies in one of the decided intervals. Undefined: the scheme cannot order it. */
export function isCovered(
  scheme: VersionScheme,
  version: string,
  all: readonly Interval[],
): boolean | undefined {
  const at = boundOf(scheme, version)
  if (at === undefined) return undefined
  if (!hasKeys(scheme)) {
    return all.some(
      ({ isDecided, lower, upper, upperIncluded }) =>
        isDecided &&
        isInside(scheme, version, { introduced: lower.text, upper: upper?.text ?? null, upperIncluded }),
    )
  }
  return all.some(({ isDecided, lower, upper, upperIncluded }) => {
    if (!isDecided || compareBounds(scheme, at, lower) < 0) return false
    if (upper === null) return true
    const order = compareBounds(scheme, at, upper)
    return order < 0 || (upperIncluded && order === 0)
  })
}
