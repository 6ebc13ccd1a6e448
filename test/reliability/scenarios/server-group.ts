import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chooseAccount, runAs, serverEnvironment } from '../../../src/platform/postgres/embedded/account.ts'
import { openSession } from '../../../src/platform/postgres/session.ts'
import type { Query } from '../../support/upload-history.ts'
import { freePort } from '../../support/free-port.ts'

const binDir = process.env['POSTGRES_BIN_DIR'] ?? '/usr/lib/postgresql/15/bin'
/** The embedded server's packages cannot clone a running server. */
export const canReplicate = existsSync(join(binDir, 'pg_basebackup'))

export const serviceRole = 'monitor'
const superuser = 'postgres'
const database = 'monitor'

/** One of several PostgreSQL servers with the same data. */
export type Member = {
  port: number
  database: string
  /** As superuser, on a new session for each query. */
  query: Query
  /** The same in the database every server has. */
  administer: Query
  /** Machine failure: SIGKILL for all its processes. */
  kill: () => Promise<void>
  promote: () => Promise<void>
}

/** A primary, and standbys cloned from a member that confirm each of its commits. */
export type ServerGroup = {
  startPrimary: () => Promise<Member>
  /** From now on the primary acknowledges nothing that the new standby does not have. Pass the port if it is known in advance. */
  addSynchronousStandby: (primary: Member, port?: number) => Promise<Member>
  /** A standby the primary does not wait for. */
  addStandby: (primary: Member) => Promise<Member>
  /** A file only the servers can read; returns its path. */
  ownFile: (name: string, text: string) => Promise<string>
  close: () => Promise<void>
}

const run = promisify(execFile)

/** In its own folder, with the programs of an installed PostgreSQL; never as root. */
export async function openServerGroup(): Promise<ServerGroup> {
  const account = chooseAccount({
    ownUid: process.getuid?.() ?? 0,
    configuredUser: process.env['POSTGRES_USER'] ?? null,
    dataOwner: null,
    passwd: readFileSync('/etc/passwd', 'utf8'),
  })
  const folder = await mkdtemp(join(tmpdir(), `sbom-monitor-test-${process.pid}-`))
  await chmod(folder, 0o755)
  const members: Member[] = []
  let made = 0

  const program = (name: string, args: string[]) =>
    run(join(binDir, name), args, { ...runAs(account), cwd: '/', env: serverEnvironment })
  const newFolder = async () => {
    const dir = join(folder, `member-${(made += 1)}`)
    await mkdir(dir, { mode: 0o700 })
    if (account !== null) await chown(dir, account.uid, account.gid)
    return dir
  }
  const copyOf = async (primary: Member) => {
    const dir = await newFolder()
    const source = `host=127.0.0.1 port=${primary.port} user=${superuser} application_name=member_${made}`
    await program('pg_basebackup', ['-D', join(dir, 'data'), '-R', '-c', 'fast', '-d', source])
    return dir
  }
  const start = async (dir: string, port: number): Promise<Member> => {
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: dir,
      max_connections: 100,
    }
    const child = spawn(
      join(binDir, 'postgres'),
      [
        '-D',
        join(dir, 'data'),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { ...runAs(account), cwd: '/', env: serverEnvironment, stdio: 'ignore' },
    )
    const administer = queryOf(port, 'postgres')
    const member = {
      port,
      database,
      administer,
      query: queryOf(port, database),
      kill: async () => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, 'exit')
        for (const pid of [child.pid ?? 0, ...(await childrenOf(child.pid ?? 0))]) killNow(pid)
        await ended
      },
      promote: async () => {
        await program('pg_ctl', ['promote', '-w', '-D', join(dir, 'data')])
      },
    }
    members.push(member)
    await untilAnswers(administer)
    return member
  }
  return {
    startPrimary: async () => {
      const dir = await newFolder()
      await program('initdb', [
        ...['-D', join(dir, 'data'), '-U', superuser],
        ...['--auth=trust', '--encoding=UTF8', '--locale=C'],
      ])
      const primary = await start(dir, await freePort())
      await primary.administer(`create role ${serviceRole} login`)
      await primary.administer(`create database ${database} owner ${serviceRole}`)
      return primary
    },
    addStandby: async (primary) => {
      return start(await copyOf(primary), await freePort())
    },
    addSynchronousStandby: async (primary, port) => {
      const dir = await copyOf(primary)
      const standby = await start(dir, port ?? (await freePort()))
      await primary.administer(`alter system set synchronous_standby_names = 'member_${made}'`)
      await primary.administer('select pg_reload_conf()')
      await untilSynchronous(primary.administer)
      return standby
    },
    ownFile: async (name, text) => {
      const path = join(folder, name)
      await writeFile(path, text, { mode: 0o600 })
      if (account !== null) await chown(path, account.uid, account.gid)
      return path
    },
    close: async () => {
      for (const member of members) await member.kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function queryOf(port: number, name: string): Query {
  const connectionString = `postgresql://${superuser}@127.0.0.1:${port}/${name}?sslmode=disable`
  return async (statement) => {
    const { client } = await openSession({ connectionString }, { applicationName: 'onlooker' })
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows
    } finally {
      await client.end()
    }
  }
}

async function untilAnswers(query: Query): Promise<void> {
  const until = performance.now() + 60_000
  for (;;) {
    try {
      await query('select 1')
      return
    } catch (error) {
      if (performance.now() > until) throw error
      await sleep(50)
    }
  }
}

async function untilSynchronous(query: Query): Promise<void> {
  const until = performance.now() + 60_000
  const isIn = async () =>
    (await query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).length > 0
  while (!(await isIn())) {
    if (performance.now() > until) throw new Error('the standby confirms nothing')
    await sleep(50)
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It has exited by itself.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
