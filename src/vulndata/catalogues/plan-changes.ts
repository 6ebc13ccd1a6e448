import { isDeepStrictEqual } from 'node:util'
import type { CatalogueEntry } from './entry.ts'

/** A stored entry. `parts` has each feed's own text; a feed that drops the entry removes its part. */
export type StoredEntry = {
  id: number
  cveId: string | null
  euvdId: string | null
  name: string
  listedOn: string | null
  removedAt: Date | null
  parts: Readonly<Record<string, Part>>
}

/** What one feed says of an entry. */
export type Part = { name: string; listedOn: string | null; raw: Record<string, unknown> }

export type WantedEntry = Omit<StoredEntry, 'id' | 'removedAt'> & { id: number | null; isRemoved: boolean }

export type CataloguePlan = {
  /** Rows to write. */
  write: WantedEntry[]
  added: number
  edited: number
  removed: number
  /** Entries that had been removed and are listed again. */
  returned: number
  /** Live entries of this feed before. */
  before: number
}

/**
 * What changes in the database when a feed's newest entries are taken over. An entry is found by its CVE id, or by its EUVD id as long as
 * it had no CVE id. An edit is an update and opens nothing; what the feed dropped is removed when no other feed lists it.
 */
export function planChanges(
  feed: string,
  stored: readonly StoredEntry[],
  entries: readonly CatalogueEntry[],
): CataloguePlan {
  const plan: CataloguePlan = { write: [], added: 0, edited: 0, removed: 0, returned: 0, before: 0 }
  const find = finderOf(stored)
  const kept = new Set<number>()
  for (const entry of entries) {
    const before = find(entry)
    if (before !== undefined) kept.add(before.id)
    const wanted = merged(feed, before, entry)
    if (before !== undefined && isSame(before, wanted)) continue
    plan.write.push(wanted)
    if (before === undefined) plan.added += 1
    else if (before.removedAt !== null) plan.returned += 1
    else plan.edited += 1
  }
  for (const before of stored) {
    if (before.removedAt !== null || before.parts[feed] === undefined) continue
    plan.before += 1
    if (!kept.has(before.id)) drop(plan, without(feed, before))
  }
  return plan
}

function drop(plan: CataloguePlan, wanted: WantedEntry): void {
  plan.write.push(wanted)
  if (wanted.isRemoved) plan.removed += 1
  else plan.edited += 1
}

/** Whether findings may be listed differently now: an edit of words changes nothing. */
export function changesListing(plan: CataloguePlan, stored: readonly StoredEntry[]): boolean {
  if (plan.added + plan.removed + plan.returned > 0) return true
  const ids = new Map(stored.map((entry) => [entry.id, entry]))
  return plan.write.some((wanted) => {
    const before = ids.get(wanted.id ?? -1)
    return before?.cveId !== wanted.cveId || before.euvdId !== wanted.euvdId
  })
}

/** An EUVD id may stand for several CVEs: it finds a row only where the entry or the row has no CVE id that could contradict. */
function finderOf(stored: readonly StoredEntry[]): (entry: CatalogueEntry) => StoredEntry | undefined {
  const byCve = new Map<string, StoredEntry>()
  const byEuvd = new Map<string, StoredEntry>()
  const byEuvdAlone = new Map<string, StoredEntry>()
  for (const entry of stored) {
    if (entry.cveId !== null) byCve.set(entry.cveId, entry)
    if (entry.euvdId === null) continue
    byEuvd.set(entry.euvdId, entry)
    if (entry.cveId === null) byEuvdAlone.set(entry.euvdId, entry)
  }
  return ({ cveId, euvdId }) => {
    if (cveId === null) return byEuvdAlone.get(euvdId ?? '') ?? byEuvd.get(euvdId ?? '')
    return byCve.get(cveId) ?? byEuvdAlone.get(euvdId ?? '')
  }
}

function merged(feed: string, before: StoredEntry | undefined, entry: CatalogueEntry): WantedEntry {
  const parts = { ...before?.parts, [feed]: { name: entry.name, listedOn: entry.listedOn, raw: entry.raw } }
  return {
    id: before?.id ?? null,
    cveId: entry.cveId ?? before?.cveId ?? null,
    euvdId: entry.euvdId ?? before?.euvdId ?? null,
    parts,
    ...shown(parts, entry.cveId ?? entry.euvdId ?? ''),
    isRemoved: false,
  }
}

/** The entry without one feed's part; the last part stays readable when no feed lists the entry any more. */
function without(feed: string, before: StoredEntry): WantedEntry {
  const others = Object.fromEntries(Object.entries(before.parts).filter(([name]) => name !== feed))
  const isRemoved = Object.keys(others).length === 0
  const parts = isRemoved ? before.parts : others
  const { id, cveId, euvdId } = before
  return { id, cveId, euvdId, parts, ...shown(parts, before.name), isRemoved }
}

const bareId = /^(?:CVE|EUVD)-[\d-]+$/

/** A list with the vulnerability's name takes precedence over one with only its id; the earliest date counts. */
function shown(parts: StoredEntry['parts'], id: string): { name: string; listedOn: string | null } {
  const listed = Object.keys(parts)
    .sort()
    .flatMap((feed) => parts[feed] ?? [])
  const dates = listed.flatMap((part) => part.listedOn ?? [])
  return {
    name: (listed.find(({ name }) => !bareId.test(name)) ?? listed[0])?.name ?? id,
    listedOn: dates.sort()[0] ?? null,
  }
}

function isSame(before: StoredEntry, wanted: WantedEntry): boolean {
  return (
    before.removedAt === null &&
    before.cveId === wanted.cveId &&
    before.euvdId === wanted.euvdId &&
    before.name === wanted.name &&
    before.listedOn === wanted.listedOn &&
    isDeepStrictEqual(before.parts, wanted.parts)
  )
}
