import { sql } from 'kysely'
import { join, relative } from 'node:path'
import { afterAll, expect, inject } from 'vitest'
import type { DeclaredRows } from './declared-rows.ts'
import { misfits } from './shape.ts'

/**
 * Compares the results of the raw queries in src with their declared row types (`sql<Row>…`), which the compiler takes on trust. Runs at
 * the end of every test file on the rows it saw; without ROW_TYPES=1 it does nothing.
 */

const root = join(import.meta.dirname, '../../..')
const rowsOfSite = 20
type Execute = (this: unknown, ...args: unknown[]) => Promise<{ rows: unknown[] }>
/** Shared by all raw queries. Rows are stored here, by location of the query, because this module is loaded again for each test file. */
const rawBuilder = Object.getPrototypeOf(sql``) as { execute: Execute; seen?: Map<string, unknown[]> }

function watched(): Map<string, unknown[]> {
  if (rawBuilder.seen !== undefined) return rawBuilder.seen
  const seen = new Map<string, unknown[]>()
  const { execute } = rawBuilder
  rawBuilder.seen = seen
  rawBuilder.execute = function watching(...args) {
    const site = callerOf(watching)
    return execute.apply(this, args).then((result) => {
      if (site?.startsWith('src/') === true) keep(seen, site, result.rows)
      return result
    })
  }
  return seen
}

/** The location in src that called the function, as the declared rows name it. */
function callerOf(called: Execute): string | undefined {
  const trace: { stack?: string } = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 1
  Error.captureStackTrace(trace, called)
  Error.stackTraceLimit = stackTraceLimit
  const { path, line } =
    /(?:file:\/\/)?(?<path>\/[^:()]+):(?<line>\d+):\d+\)?$/.exec(trace.stack ?? '')?.groups ?? {}
  return path === undefined ? undefined : `${relative(root, path)}:${line ?? ''}`
}

function keep(seen: Map<string, unknown[]>, site: string, rows: unknown[]): void {
  if (rows.length === 0) return
  const kept = seen.get(site) ?? []
  seen.set(site, kept)
  kept.push(...rows.slice(0, rowsOfSite - kept.length))
}

const url = inject('declaredRowsUrl')
if (url !== null) {
  const seen = watched()
  afterAll(async () => {
    if (seen.size === 0) return
    const asked = await fetch(url, { method: 'POST', body: JSON.stringify([...seen.keys()]) })
    const declared = (await asked.json()) as DeclaredRows
    const faults = [...seen].flatMap(([site, rows]) => {
      const shape = declared[site]
      return shape === undefined
        ? []
        : rows.flatMap((row) => misfits(row, shape)).map((fault) => `${site}: ${fault}`)
    })
    seen.clear()
    expect([...new Set(faults)]).toEqual([])
  })
}
