import { affectedPackage } from '../../src/identities/affected-package.ts'
import { orderingOf, type VersionScheme } from '../../src/versions/ordering.ts'

/** The fields of a record that the evaluator reads, straight from its JSON. */
export type RawRecord = {
  id: string
  summary?: string
  withdrawn?: string
  affected?: RawAffected[]
}

export type RawAffected = {
  package?: { ecosystem?: string; name?: string }
  ranges?: {
    type: string
    events: Partial<Record<'introduced' | 'fixed' | 'last_affected' | 'limit', string>>[]
  }[]
  versions?: string[]
}

/** The scope of a version: a package, in one release and stream. */
export type PackageOfRelease = { packageKey: string; release: string; stream: string }

/**
 * Whether a record affects a version, by the OSV schema's algorithm (section "Evaluation") word for word: slow, without keys or intervals.
 * Two deviations are the product's own: a malware record with a list is judged by the list alone, and `0.0.0-0` is the lowest version.
 */
export function isAffected(record: RawRecord, place: PackageOfRelease, version: string): boolean {
  if (record.withdrawn !== undefined) return false
  return (record.affected ?? []).some((affected) => isAffectedIn(record, affected, { place, version }))
}

type Asked = { place: PackageOfRelease; version: string }
type Subject = ReturnType<typeof affectedPackage>

/** By fixed version: the same is evaluated for every version of a package. */
const subjects = new WeakMap<RawAffected, Map<string | null, Subject>>()

function subjectOfRecord(record: RawRecord, affected: RawAffected, fixed: string | null): Subject {
  const known = subjects.get(affected) ?? new Map<string | null, Subject>()
  subjects.set(affected, known)
  if (!known.has(fixed)) {
    const { ecosystem = '', name = '' } = affected.package ?? {}
    known.set(fixed, affectedPackage(ecosystem, name, { fixed, title: record.summary ?? null }))
  }
  return known.get(fixed)
}

function isAffectedIn(record: RawRecord, affected: RawAffected, { place, version }: Asked): boolean {
  const subjectOf = (fixed: string | null) => subjectOfRecord(record, affected, fixed)
  const isHere = (fixed: string | null) => {
    const subject = subjectOf(fixed)
    return (
      subject !== undefined &&
      isSamePackage(subject.packageKey, place.packageKey) &&
      subject.release === place.release &&
      subject.stream === place.stream
    )
  }
  const scheme = subjectOf(null)?.scheme
  if (scheme === undefined) return false
  const versions = affected.versions ?? []
  const compare = orderingOf(scheme).compare
  if (versions.some((listed) => isHere(listed) && (listed === version || compare(listed, version) === 0)))
    return true
  if (record.id.startsWith('MAL-') && versions.length > 0) return false
  return (affected.ranges ?? []).some((range) => {
    if (range.type === 'GIT') return false
    const fixed = range.events.find((event) => event.fixed !== undefined)?.fixed ?? null
    return isHere(fixed) && isInRange(scheme, range.events, version)
  })
}

/** The ecosystem's rules do not order two versions. */
export class Undecided extends Error {
  override name = 'Undecided'
}

type Event = Partial<Record<'introduced' | 'fixed' | 'last_affected' | 'limit', string>>

type Order = (a: string, b: string) => number

function orderOf(scheme: VersionScheme): Order {
  return (a, b) => {
    const isLowest = (text: string) => text === '0' || text === '0.0.0-0'
    if (isLowest(a) || isLowest(b)) return Number(isLowest(b)) - Number(isLowest(a))
    const result = orderingOf(scheme).compare(a, b)
    if (result === undefined) throw new Undecided(`${a} and ${b} cannot be ordered`)
    return result
  }
}

const sortedEvents = new WeakMap<readonly Event[], Map<VersionScheme, readonly Event[]>>()

/** As in the algorithm; the order is the same for every requested version. */
function sortEvents(scheme: VersionScheme, events: readonly Event[], order: Order): readonly Event[] {
  const bySchemes = sortedEvents.get(events) ?? new Map<VersionScheme, readonly Event[]>()
  sortedEvents.set(events, bySchemes)
  const known = bySchemes.get(scheme)
  if (known !== undefined) return known
  const versionOf = (event: Event) => event.introduced ?? event.fixed ?? event.last_affected ?? ''
  const sorted = events
    .filter((event) => event.limit === undefined)
    .sort((a, b) => order(versionOf(a), versionOf(b)))
  bySchemes.set(scheme, sorted)
  return sorted
}

function isInRange(scheme: VersionScheme, events: readonly Event[], version: string): boolean {
  const order = orderOf(scheme)
  const limits = events.flatMap((event) => event.limit ?? [])
  const isBeforeLimits =
    limits.length === 0 || limits.some((limit) => limit === '*' || order(version, limit) < 0)
  if (!isBeforeLimits) return false
  const sorted = sortEvents(scheme, events, order)
  let isVulnerable = false
  for (const event of sorted) {
    if (event.introduced !== undefined && order(version, event.introduced) >= 0) isVulnerable = true
    else if (event.fixed !== undefined && order(version, event.fixed) >= 0) isVulnerable = false
    else if (event.last_affected !== undefined && order(version, event.last_affected) > 0)
      isVulnerable = false
  }
  return isVulnerable
}

/** Purls also write Go modules in lower case, and crates with any mix of `-`, `_` and capitals. */
function isSamePackage(named: string, asked: string): boolean {
  if (named === asked) return true
  if (asked.startsWith('Go\u001f')) return asked === inLowerCase(named)
  return asked.startsWith('crates.io\u001f') && crate(named) === crate(asked)
}

function inLowerCase(key: string): string {
  const name = key.indexOf('\u001f') + 1
  return key.slice(0, name) + key.slice(name).toLowerCase()
}

const crate = (key: string) => inLowerCase(key).replaceAll('-', '_')
