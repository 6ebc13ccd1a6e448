import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg, { type PoolConfig } from 'pg'
import { freePort } from './free-port.ts'
import { poolerHost } from './told-of-pooler.ts'

/** TEST_PGBOUNCER overrides the installed one; Debian's is in a folder only root has in its PATH. */
const program =
  process.env['TEST_PGBOUNCER'] ??
  ['/usr/sbin/pgbouncer', '/usr/local/bin/pgbouncer', '/usr/bin/pgbouncer'].find(existsSync)

export const hasPooler = program !== undefined
/** Prepared statement tracking came with 1.21; the setting is unknown before. */
export const canTrack =
  program !== undefined &&
  !/^PgBouncer 1\.(?:1?\d|20)\./.test(execFileSync(program, ['--version'], { encoding: 'utf8' }))
export const tracking = { max_prepared_statements: '200' }
/** Appended to the title of a test skipped without the program. */
export const poolerNote = hasPooler ? '' : ' (skipped: PgBouncer is not installed)'
export const trackingNote = !hasPooler || canTrack ? '' : ' (skipped: that is PgBouncer 1.21, and newer)'

type Mode = 'transaction' | 'session' | 'statement'

export type Pooler = {
  /** The URL of a database through the pooler. */
  url: (database: string) => string
  /** The same through a socket in the file system, which takes a third less of the processor; null where its path is too long for one. */
  nearUrl: (database: string) => string | null
  /** Runs a console command: `RECONNECT`, `SHOW POOLS`. */
  command: (words: string) => Promise<Record<string, unknown>[]>
  close: () => Promise<void>
}

type Pooling = {
  /** The server itself, as a role with the rights the test needs. */
  server: PoolConfig
  mode: Mode
  /** Deviations from PgBouncer's defaults. */
  settings?: Record<string, string>
  /** Its port; default: a free one. */
  port?: number
}

/** macOS has the shortest. */
const maxSocketPath = 104

/** PgBouncer with default settings in front of a server without passwords; every database is reachable. */
export async function startPooler({ server, mode, settings = {}, ...at }: Pooling): Promise<Pooler> {
  if (program === undefined) throw new Error('PgBouncer is not installed')
  const { host, port, user } = placeOf(server)
  const folder = await mkdtemp(join(tmpdir(), `sbom-monitor-test-${process.pid}-`))
  await chmod(folder, 0o755)
  const listenPort = at.port ?? (await freePort())
  const users = join(folder, 'users.txt')
  const hasSocket = join(folder, `.s.PGSQL.${listenPort}`).length < maxSocketPath
  const account = await accountOf(host)
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid ?? account.uid)
  const own = {
    listen_addr: poolerHost,
    listen_port: String(listenPort),
    unix_socket_dir: hasSocket ? folder : '',
    pool_mode: mode,
    auth_type: 'trust',
    auth_file: users,
    admin_users: user,
    ...settings,
  }
  const lines = Object.entries(own).map(([name, value]) => `${name} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(users, `"${user}" ""\n`)
  await writeFile(
    file,
    ['[databases]', `* = host=${host} port=${port}`, '[pgbouncer]', ...lines, ''].join('\n'),
  )
  const child = spawn(program, ['-q', file], { stdio: 'ignore', ...account })
  await untilItAnswers(listenPort, () => child.exitCode)
  const url = (database: string) => `postgresql://${user}@${poolerHost}:${listenPort}/${database}`
  return {
    url,
    nearUrl: (database) =>
      hasSocket
        ? `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(folder)}&port=${listenPort}`
        : null,
    command: (words) => onConsole(url('pgbouncer'), words),
    close: async () => {
      if (child.exitCode === null) {
        const ended = once(child, 'exit')
        // immediately: otherwise it waits for its clients to leave
        child.kill('SIGTERM')
        await ended
      }
      await rm(folder, { recursive: true })
    },
  }
}

function placeOf(server: PoolConfig): { host: string; port: number; user: string } {
  if (server.connectionString === undefined)
    return { host: server.host ?? '', port: server.port ?? 5432, user: server.user ?? 'postgres' }
  const url = new URL(server.connectionString)
  const host = url.searchParams.get('host') ?? url.hostname
  const port = url.searchParams.get('port') ?? url.port
  return { host, port: Number(port === '' ? 5432 : port), user: url.searchParams.get('user') ?? url.username }
}

/** It does not run as root, and the embedded server's folder is open to its own account only. */
async function accountOf(host: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  if (host.startsWith('/')) {
    const { uid, gid } = await stat(host)
    if (uid !== 0) return { uid, gid }
  }
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function untilItAnswers(port: number, ended: () => number | null): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    const code = ended()
    if (code !== null) throw new Error(`PgBouncer ended with ${code}`)
    const socket = connect(port, poolerHost)
    try {
      await once(socket, 'connect')
      return
    } catch {
      await sleep(20)
    } finally {
      socket.destroy()
    }
  }
  throw new Error('PgBouncer does not answer')
}

/** The console supports only the simple protocol, which the driver uses for queries without parameters. */
async function onConsole(url: string, words: string): Promise<Record<string, unknown>[]> {
  const session = new pg.Client({ connectionString: url })
  await session.connect()
  try {
    return (await session.query<Record<string, unknown>>(words)).rows
  } finally {
    await session.end()
  }
}
