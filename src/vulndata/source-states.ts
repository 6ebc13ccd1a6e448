import type { Db } from '../database/connection.ts'
import { ecosystemOfSource, reconcileName } from './records/ecosystem-source.ts'
import { sources } from './sources/all.ts'
import type { Source } from './sources/source.ts'

/** The state of one source of vulnerability data, as the application shows it. */
export type SourceState = {
  /** The id of a source (`sources/all.ts`), or of a part of it: `osv:npm` for one ecosystem. */
  name: string
  address: string | null
  lastAttemptAt: Date | null
  /** Its age is the age of the data. */
  lastSuccessAt: Date | null
  /** Why the newest attempt was refused; null when it succeeded. */
  lastError: string | null
  recordCount: number
  /** All that its publisher has was taken over at some time; else a part of it, which covers nothing. */
  isWhole: boolean
  /** Of an OSV ecosystem: the last comparison with its whole file, which finds deletions. Null for other sources. */
  reconcile: { lastSuccessAt: Date | null; lastError: string | null } | null
}

const sideRows = sources.flatMap((source) => source.sideRows ?? [])

/** Every source that was ever tried, with the times from which its age follows, by name. */
export async function listSources(db: Db): Promise<SourceState[]> {
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
        lastError: row.last_error,
        recordCount: row.record_count,
        isWhole: row.is_whole,
        reconcile:
          reconcile === undefined
            ? null
            : { lastSuccessAt: reconcile.last_success_at, lastError: reconcile.last_error },
      }
    })
}

export const sourceConditions = ['ok', 'failing', 'partial', 'never_loaded', 'off'] as const
export type SourceCondition = (typeof sourceConditions)[number]

/** A source that is switched off may have been loaded by hand: then what was loaded counts. */
export function conditionOf(source: SourceState | undefined, { isOff }: { isOff: boolean }): SourceCondition {
  if (source === undefined) return isOff ? 'off' : 'never_loaded'
  if (source.lastError !== null || (source.reconcile?.lastError ?? null) !== null) return 'failing'
  if (source.lastSuccessAt === null) return isOff ? 'off' : 'never_loaded'
  return source.isWhole ? 'ok' : 'partial'
}

/** Words for people: `CISA KEV`, `OSV: npm`. */
export function labelOfSource(name: string): string {
  const source = sources.find(({ id }) => id === name)
  if (source !== undefined) return source.label
  const whole = sources.find(({ id, hasParts }) => hasParts === true && name.startsWith(`${id}:`))
  return whole === undefined ? name : `${whole.label}: ${name.slice(whole.id.length + 1)}`
}

/** What has been loaded of the sources that bring something. Of a source in parts only these hold data. */
export function isLoaded(loaded: readonly SourceState[], brings: Source['brings']): boolean {
  const bringing = sources.filter((source) => source.brings === brings)
  return loaded.some(({ name }) =>
    bringing.some(({ id, hasParts }) => (hasParts === true ? name.startsWith(`${id}:`) : name === id)),
  )
}

/**
 * Lets the next refresh read the records whole although their files are the same: the code that reads records gives something else
 * than before. What is loaded stays in use meanwhile; files that an operator imported must be imported again.
 */
export async function readSourcesAgain(db: Db): Promise<void> {
  for (const source of sources) await source.readAgain?.(db)
}
