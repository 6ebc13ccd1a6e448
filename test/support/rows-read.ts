import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import type { Db } from '../../src/database/connection.ts'
import type { Tables } from '../../src/database/tables.ts'
import type { TestDatabase } from './database.ts'

/** What a reading answers, and its statements. */
export async function recorded(
  store: TestDatabase,
  list: (db: Db) => Promise<unknown>,
): Promise<{ answer: unknown; queries: CompiledQuery[] }> {
  const queries: CompiledQuery[] = []
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: store.pool }),
    log: ({ query }) => void queries.push(query),
  })
  return { answer: await list(db), queries }
}

type Plan = {
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

/** Rows read from tables and indexes; sequential scans are disabled unless there is no other way. */
export async function rowsRead(
  store: TestDatabase,
  { sql: text, parameters }: CompiledQuery,
): Promise<number> {
  const session = await store.pool.connect()
  try {
    await session.query('begin; set local enable_seqscan = off')
    const { rows } = await session.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, timing off, format json) ${text}`,
      [...parameters],
    )
    return rows.reduce((sum, row) => sum + rowsOf(row['QUERY PLAN'][0].Plan), 0)
  } finally {
    await session.query('rollback')
    session.release()
  }
}

function rowsOf(plan: Plan): number {
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0)
  const isStored = plan['Relation Name'] !== undefined || plan['Index Name'] !== undefined
  const own = isStored ? (plan['Actual Rows'] + removed) * plan['Actual Loops'] : 0
  return (plan.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), own)
}
