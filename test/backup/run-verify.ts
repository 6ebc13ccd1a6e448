import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { connectionUrl } from '../../src/platform/postgres/pool.ts'
import type { TestDatabase } from '../support/database.ts'
import { asNpmRun } from '../support/service.ts'
import { checkoutDir } from '../support/test-server.ts'

type Report = { isWhole: boolean; problems: string[]; rows?: number; tables?: number; originals?: unknown }
type Ended = { code: number | null; report: Report | null; said: string }
export type Environment = Record<string, string | undefined>

/** The address of the database without any pooler, as another role. */
export function urlAs(role: string, { direct }: Pick<TestDatabase, 'direct'>): string {
  if (direct.connectionString === undefined) return connectionUrl({ ...direct, user: role })
  const url = new URL(direct.connectionString)
  url.username = role
  return url.toString()
}

/** Runs `backup verify` on a file in its own process. */
export function startVerifying(env: Environment, file: string) {
  const own = { ...asNpmRun, PATH: process.env['PATH'], LOG_LEVEL: 'warn', ...env }
  const child = spawn(process.execPath, [join(checkoutDir, 'src/main.ts'), 'backup', 'verify', file], {
    env: own,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: Buffer[] = []
  const said: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk))
  const ended = once(child, 'close').then(([code]): Ended => {
    const text = Buffer.concat(printed).toString()
    const report = text === '' ? null : (JSON.parse(text) as Report)
    return { code: code as number | null, report, said: Buffer.concat(said).toString() }
  })
  return { child, ended }
}
