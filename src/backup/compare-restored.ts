import type { ClientBase } from 'pg'
import { selectContents, selectSequenceStates, type SequenceState } from './contents.ts'
import type { BackupSummary } from './read-backup.ts'
import type { BackupProgress } from './write-backup.ts'

type Comparing = { session: ClientBase; summary: BackupSummary; onProgress: BackupProgress }

/**
 * What a restored database has otherwise than the file says, in the schema of the backup: every table of the schema is counted, also one that the file
 * does not have. A line for each difference.
 */
export async function compareRestored({ session, summary, onProgress }: Comparing): Promise<string[]> {
  const problems: string[] = []
  let done = 0
  await session.query('BEGIN READ ONLY')
  await session.query('SET LOCAL statement_timeout = 0')
  for (const { name } of await selectContents(session)) {
    const found = await countRows(session, name)
    const said = summary.tables.get(name)
    if (said === undefined) problems.push(`Table ${name}: the file does not have it.`)
    else if (said !== found) problems.push(`Table ${name}: ${found} rows are there, the file names ${said}.`)
    problems.push(...(await compareSequences(session, name, summary.sequences.get(name) ?? [])))
    done += found
    onProgress({ label: 'counting, rows', done, total: null })
  }
  await session.query('COMMIT')
  return problems
}

async function countRows(session: ClientBase, table: string): Promise<number> {
  const { rows } = await session.query<{ rows: number }>(`SELECT count(*)::float8 AS rows FROM ${table}`)
  return rows[0]?.rows ?? 0
}

/** A sequence that goes on too early hands out numbers that are taken: the restored service could not go on. */
async function compareSequences(
  session: ClientBase,
  table: string,
  said: readonly SequenceState[],
): Promise<string[]> {
  const problems: string[] = []
  for (const { column, lastValue, isCalled } of await selectSequenceStates(session, table)) {
    const where = `Table ${table}, numbers of ${column}`
    const known = said.find((state) => state.column === column)
    if (known === undefined) problems.push(`${where}: the file does not say how far they have come.`)
    else if (known.lastValue !== lastValue || known.isCalled !== isCalled)
      problems.push(`${where}: they have come to ${lastValue}, the file names ${known.lastValue}.`)
    const next = BigInt(lastValue) + (isCalled ? 1n : 0n)
    const { rows } = await session.query<{ highest: string | null }>(
      `SELECT max(${column})::text AS highest FROM ${table}`,
    )
    const highest = BigInt(rows[0]?.highest ?? 0)
    if (highest >= next) problems.push(`${where}: the next one is ${next}, and ${highest} is taken.`)
  }
  return problems
}
