import type { SourceBrings, SourceOutcome, SourceState } from '../contract/sources/shapes.ts'
import type { Db } from '../database/connection.ts'
import type { Config } from '../platform/config/config.ts'
import { ecosystemOfSource, reconcileName } from '../records/ecosystem-source.ts'
import { fetchedSources, sources } from './sources/all.ts'
import type { Source } from './sources/source.ts'

/** What is known of one source of vulnerability data. */
export type StoredSource = {
  /** The id of a source (`sources/all.ts`), or of a part of it: `osv:npm` for one ecosystem. */
  name: string
  address: string | null
  lastAttemptAt: Date | null
  /** How the last attempt ended; null while it has not, and before the first. */
  lastOutcome: SourceOutcome | null
  /** Its age is the age of the data. */
  lastSuccessAt: Date | null
  /** Why the newest attempt was refused; null when it succeeded. */
  lastError: string | null
  /** The first of the attempts that have failed since the last success. */
  failingSince: Date | null
  /** Since when its publisher says that it has no such data. */
  absentSince: Date | null
  recordCount: number
  /** Everything its publisher has was taken over at some time; otherwise only a part, which covers nothing. */
  isWhole: boolean
  /** Of an OSV ecosystem: the last comparison with its whole file, which finds deletions. Null for other sources. */
  reconcile: { lastSuccessAt: Date | null; lastError: string | null; failingSince: Date | null } | null
}

const sideRows = sources.flatMap((source) => source.sideRows ?? [])

/** Every source that was ever tried, by name, with the times that give its age. */
export async function listSources(db: Db): Promise<StoredSource[]> {
  const rows = await db.selectFrom('data_source').selectAll().orderBy('name').execute()
  const byName = new Map(rows.map((row) => [row.name, row]))
  return rows
    .filter(({ name }) => !sideRows.some((prefix) => name.startsWith(prefix)))
    .map((row) => {
      const ecosystem = ecosystemOfSource(row.name)
      const reconcile = ecosystem === undefined ? undefined : byName.get(reconcileName(ecosystem))
      return {
        name: row.name,
        address: row.address,
        lastAttemptAt: row.last_attempt_at,
        lastSuccessAt: row.last_success_at,
        lastOutcome: row.last_outcome,
        lastError: row.last_error,
        failingSince: row.failing_since,
        absentSince: row.absent_since,
        recordCount: row.record_count,
        isWhole: row.is_whole,
        reconcile:
          reconcile === undefined
            ? null
            : {
                lastSuccessAt: reconcile.last_success_at,
                lastError: reconcile.last_error,
                failingSince: reconcile.failing_since,
              },
      }
    })
}

export type SourceWithState = StoredSource & { state: SourceState }

/** As `listSources`, with those that are fetched and were never tried, and the state of each. `switchedOff`: ids, by the configuration. */
export async function listSourceStates(db: Db, switchedOff: readonly string[]): Promise<SourceWithState[]> {
  const stored = await listSources(db)
  const untried = fetchedSources
    .filter(({ id }) => !stored.some(({ name }) => name === id))
    .map(({ id }) => ({ ...untriedSource, name: id }))
  const all = [...stored, ...untried].sort((a, b) => (a.name < b.name ? -1 : 1))
  return all.map((source) => ({
    ...source,
    state: stateOf(source, { isOff: isSwitchedOff(switchedOff, source.name) }),
  }))
}

/** What is known of a source that was never tried. */
export const untriedSource = {
  address: null,
  lastAttemptAt: null,
  lastSuccessAt: null,
  lastOutcome: null,
  lastError: null,
  failingSince: null,
  absentSince: null,
  recordCount: 0,
  isWhole: false,
  reconcile: null,
} satisfies Omit<StoredSource, 'name'>

/**
 * A source that is switched off may have been loaded by hand: then that counts, not the failures while it was fetched.
 */
export function stateOf(source: StoredSource, { isOff }: { isOff: boolean }): SourceState {
  if (!isOff && failureOf(source) !== null) return 'failing'
  if (!isOff && source.absentSince !== null && !source.isWhole) return 'no_source'
  if (source.lastSuccessAt !== null) return source.isWhole ? 'ok' : 'partial'
  if (isOff) return 'off'
  return 'never'
}

/** Why the last attempt failed, and since when attempts do; null when it did not. */
export function failureOf(source: StoredSource): { error: string; since: Date | null } | null {
  for (const part of [source, source.reconcile])
    if (part !== null && part.lastError !== null) return { error: part.lastError, since: part.failingSince }
  return null
}

/** Ids of the sources that the configuration switches off. */
export function switchedOffIn({ feeds }: Pick<Config, 'feeds'>): string[] {
  return Object.keys(feeds).filter((name) => feeds[name] === null)
}

/** Whether the configuration switches a source off, or the one that it is a part of. */
export function isSwitchedOff(switchedOff: readonly string[], name: string): boolean {
  return switchedOff.some((off) => name === off || name.startsWith(`${off}:`))
}

/** Words for people: `CISA KEV`, `OSV: npm`. */
export function labelOfSource(name: string): string {
  return briefOf(name).label
}

type SourceBrief = { label: string; brings: SourceBrings; hasParts: boolean; isPart: boolean }

/** What the program knows about a source, or a part of one, by its name. */
export function briefOf(name: string): SourceBrief {
  const source = sources.find(({ id }) => id === name)
  if (source !== undefined) {
    const { label, brings, hasParts = false } = source
    return { label, brings, hasParts, isPart: false }
  }
  const whole = sources.find(({ id, hasParts }) => hasParts === true && name.startsWith(`${id}:`))
  if (whole === undefined) return { label: name, brings: 'more', hasParts: false, isPart: false }
  const label = `${whole.label}: ${name.slice(whole.id.length + 1)}`
  return { label, brings: whole.brings, hasParts: false, isPart: true }
}

/** What has been loaded of the sources that have data. Of a source in parts only the parts have any. */
export function isLoaded(loaded: readonly StoredSource[], brings: Source['brings']): boolean {
  const bringing = sources.filter((source) => source.brings === brings)
  return loaded.some(({ name }) =>
    bringing.some(({ id, hasParts }) => (hasParts === true ? name.startsWith(`${id}:`) : name === id)),
  )
}

/**
 * Makes the next refresh read all records although their files are unchanged: the code that reads them now gives other results.
 * What is loaded stays in use meanwhile; files that an operator imported must be imported again.
 */
export async function readSourcesAgain(db: Db): Promise<void> {
  for (const { records, readAgain } of sources) if (records !== undefined) await readAgain?.(db)
}
