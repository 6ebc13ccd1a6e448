import { rm, writeFile } from 'node:fs/promises'
import { freemem, loadavg, totalmem } from 'node:os'
import { sql } from 'kysely'
import type { Db } from '../../database/connection.ts'
import { passwordsIn } from '../../platform/postgres/address/read-address.ts'
import { errorWithoutContent, redactError, redactLine } from '../../platform/redact.ts'
import { UsageError } from '../command.ts'
import { packageVersion } from '../package-version.ts'
import { keysFrom, type Process } from '../open-process.ts'

const mask = '[redacted]'
const query = /\b(https?:\/\/[^\s?#"]+)\?[^\s"]*/gi

/**
 * Writes what support needs to know about an installation to a new file that only its owner can read: versions, settings, sizes,
 * queues, sources, keys. No secret, and nothing that a workspace has stored: workspaces are counted, not named.
 */
export async function diagnose(process: Process, file: string): Promise<unknown> {
  const text = withoutSecrets(JSON.stringify(await findings(process), null, 2), process)
  await writeFile(file, `${text}\n`, { flag: 'wx', mode: 0o600 }).catch(async (error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    // half of it on a full disk; where nothing could be written, nothing can be removed either
    if (['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(code)) await rm(file, { force: true })
    throw new UsageError(
      code === 'EEXIST' ? `${file} exists already` : `${file} cannot be written (${message})`,
    )
  })
  return { file, bytes: Buffer.byteLength(text) + 1 }
}

async function findings(process: Process): Promise<Record<string, unknown>> {
  const { db, now, config, storeKind } = process
  const { listSourceStates, switchedOffIn } = await import('../../vulndata/source-states.ts')
  const { countJobs } = await import('../../queue/count.ts')
  const { countRetention } = await import('../../worker/retention.ts')
  const { keyState } = await import('../../views/operation/key-state.ts')
  const { checkoutDir: _checkoutDir, ...settings } = config
  const parts: Record<string, () => Promise<unknown>> = {
    program: async () => ({ version: await packageVersion(config), node: globalThis.process.version }),
    database: () => databaseOf(db, now()),
    keys: () => keyState({ ...process, keysFrom: keysFrom(process) }),
    jobs: () => countJobs(db),
    failedJobs: () => failedJobs(db),
    deliveries: () => rowsOf(db, countedByState('alert_delivery')),
    mail: () => rowsOf(db, countedByState('mail')),
    sources: () => listSourceStates(db, switchedOffIn(config)),
    workspaces: () =>
      rowsOf(
        db,
        sql`select plan, closed_at is not null as "isClosed", count(*) as rows from workspace group by 1, 2 order by 1, 2`,
      ),
    retention: () => countRetention(db, now()),
  }
  const found: Record<string, unknown> = {
    writtenAt: now().toISOString(),
    machine: {
      platform: `${globalThis.process.platform} ${globalThis.process.arch}`,
      memoryBytes: totalmem(),
      freeBytes: freemem(),
      load: loadavg(),
    },
    settings: { ...settings, hasMetricsToken: process.secrets.metricsToken !== null },
    store: storeKind,
  }
  // what cannot be read is part of the finding: an older schema, a database that refuses
  for (const [name, read] of Object.entries(parts))
    found[name] = await read().catch((error: unknown) => ({ unreadable: redactError(String(error)) }))
  return found
}

function countedByState(table: 'alert_delivery' | 'mail'): ReturnType<typeof sql> {
  return sql`
    select state, count(*) as rows, min(created_at) as oldest from ${sql.table(table)} group by state order by state`
}

async function failedJobs(db: Db): Promise<Record<string, unknown>[]> {
  const rows = await rowsOf(
    db,
    sql`select kind, left(last_error, 300) as error, count(*) as times from job where state = 'failed'
      group by 1, 2 order by 3 desc, 1, 2 limit 20`,
  )
  return rows.map((row) => ({
    ...row,
    error: errorWithoutContent(String(row['error'])),
  }))
}

async function databaseOf(db: Db, now: Date): Promise<Record<string, unknown>> {
  const [server] = await rowsOf(
    db,
    sql`select version() as version, pg_database_size(current_database()) as bytes, current_setting('max_connections') as "maxConnections",
      extract(epoch from clock_timestamp() - ${now}::timestamptz)::int as "clockAheadSeconds"`,
  )
  const settings = await rowsOf(
    db,
    sql`select name, setting, unit from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers', 'work_mem', 'server_encoding') order by name`,
  )
  const sessions = await rowsOf(
    db,
    sql`select application_name as name, state, count(*) as sessions from pg_stat_activity
      where datname = current_database() group by 1, 2 order by 1, 2`,
  )
  const tables = await rowsOf(
    db,
    sql`select relname as name, n_live_tup as rows, pg_total_relation_size(relid) as bytes, last_autovacuum as "vacuumedAt"
      from pg_stat_user_tables order by 3 desc limit 30`,
  )
  const migrations = await rowsOf(
    db,
    sql`select name, applied_at as "appliedAt" from schema_migration order by version`,
  )
  return { ...server, settings, sessions, tables, migrations }
}

async function rowsOf(db: Db, query: ReturnType<typeof sql>): Promise<Record<string, unknown>[]> {
  return (await query.execute(db)).rows as Record<string, unknown>[]
}

/** The settings hold none; what a message of another program may say of them is masked anyway. */
function withoutSecrets(text: string, { secrets, databaseUrl }: Process): string {
  const passwords = [
    secrets.databaseUrl,
    secrets.databaseListenUrl,
    secrets.databaseReadUrl,
    databaseUrl,
  ].flatMap((url) => (url === null ? [] : passwordsIn(url)))
  const known = [
    secrets.metricsToken,
    secrets.mailCredentials?.password,
    secrets.stripeKeys?.secretKey,
    secrets.stripeKeys?.webhookSecret,
    ...passwords,
    ...(secrets.encryptionKeys ?? []).flatMap(({ key }) => [key.toString('base64'), key.toString('hex')]),
  ]
  let clean = redactLine(text).replace(query, `$1?${mask}`)
  for (const secret of known)
    if (typeof secret === 'string' && secret !== '') clean = clean.replaceAll(secret, mask)
  return clean
}
