import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import pg from 'pg'
import { expect } from 'vitest'
import type { TestDatabase } from '../support/database.ts'
import { checkoutDir } from '../support/test-server.ts'
import { exitCodeOf } from '../support/once-over.ts'

type Checkout = { cwd: string; env: Record<string, string> }

export type Started = {
  child: ChildProcessByStdio<null, Readable, Readable>
  ended: Promise<{ code: number | null; said: string }>
}

/** A CLI command in its own process. */
export function startCommand(words: readonly string[], { cwd, env }: Checkout): Started {
  const child = spawn(process.execPath, [join(checkoutDir, 'src/main.ts'), ...words], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (said += data.toString()))
  const ended = exitCodeOf(child).then((code) => ({ code, said }))
  return { child, ended }
}

/** Kills a command while it waits for a table locked by another session. */
export async function killAt(table: string, store: TestDatabase, start: () => Started): Promise<void> {
  const holder = new pg.Client(store.direct)
  await holder.connect()
  try {
    await holder.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`)
    const { child, ended } = start()
    const waiting = async () => {
      const { rows } = await holder.query(
        `SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass`,
        [table],
      )
      return rows.length
    }
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0)
    child.kill('SIGKILL')
    expect((await ended).code).toBeNull()
    // the server notices the lost client once it continues
  } finally {
    await holder.end()
  }
  const others = async () => {
    const { rows } = await store.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'sbom-monitor workspace%' AND state <> 'idle'`,
    )
    return rows.length
  }
  await expect.poll(others, { timeout: 60_000 }).toBe(0)
}
