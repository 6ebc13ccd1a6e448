import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import { feedsOff } from '../../test/support/feeds.ts'
import { runCli } from '../../test/support/service.ts'
import { cpuTimes } from '../cpu.ts'
import type { Laboratory } from '../laboratory.ts'
import { round } from '../report.ts'

const telling = join(import.meta.dirname, 'told-at-the-end-process.ts')
const kilobyte = 1024
const megabyte = 1024 ** 2

export type ImportFigures = {
  ms: number
  records: number
  /** Resident at most, of the whole process that imports. */
  peakMegabytes: number
  databaseMegabytes: number
  /** For each record: of the server, and of the command. */
  storeCpuMicroseconds: number
  commandCpuMicroseconds: number
}

type Told = { peakKilobytes: number; cpuMicroseconds: number }

/** Imports a file or folder with one command, as an operator does. */
export async function measureImport(laboratory: Laboratory, path: string): Promise<ImportFigures> {
  const { service, sql, folder } = laboratory
  const { databaseUrl } = await service.cli<{ databaseUrl: string }>(['store'])
  const toldFile = join(folder, 'told')
  const env = {
    ...process.env,
    ...feedsOff,
    DATABASE_URL: databaseUrl,
    BENCH_TOLD_FILE: toldFile,
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${telling}`,
  }
  const before = { bytes: await databaseBytes(sql), records: await countRecords(sql) }
  const { store } = await cpuTimes(laboratory)
  const startedAt = performance.now()
  await runCli(env, ['vulnerabilities', 'import', path])
  const ms = performance.now() - startedAt
  const records = (await countRecords(sql)) - before.records
  const told = JSON.parse(await readFile(toldFile, 'utf8')) as Told
  return {
    ms,
    records,
    peakMegabytes: round((told.peakKilobytes * kilobyte) / megabyte),
    databaseMegabytes: round(((await databaseBytes(sql)) - before.bytes) / megabyte),
    storeCpuMicroseconds: Math.round((((await cpuTimes(laboratory)).store - store) * 1000) / records),
    commandCpuMicroseconds: Math.round(told.cpuMicroseconds / records),
  }
}

async function databaseBytes(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ bytes: string }>(
    'select pg_database_size(current_database())::text as bytes',
  )
  return Number(rows[0]?.bytes)
}

async function countRecords(sql: Client): Promise<number> {
  const { rows } = await sql.query<{ count: number }>('select count(*)::int as count from vulnerability')
  return rows[0]?.count ?? 0
}
