import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createPool } from '../../src/platform/postgres/pool.ts'
import { openStore, type StoreConfig } from '../../src/platform/postgres/store.ts'
import { configOf, copyCheckout, createStoreLab, serverPid, type StoreLab, withPid } from './store-lab.ts'
import { startStoreUser } from './store-user.ts'

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

describe('the embedded store', () => {
  let lab: StoreLab
  beforeEach(async () => {
    lab = await createStoreLab()
  })
  afterEach(() => lab.remove())

  it('is created on the first start and found on the next, which takes less than a second', async () => {
    const config = configOf(lab, { dataDir: lab.dataDir(), fsync: true })
    const first = await startStoreUser(config)
    await execute(first.opened.connection, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (7)')
    await first.leave()
    expect(await serverPid(lab.dataDir())).toBeNull()
    const elapsedMs: number[] = []
    for (let start = 0; start < 3; start += 1) {
      const later = await startStoreUser(config)
      expect(await execute(later.opened.connection, 'SELECT id FROM kept')).toEqual([{ id: 7 }])
      elapsedMs.push(later.opened.elapsedMs)
      await later.leave()
    }
    // The best of three: the machine may be busy.
    expect(Math.min(...elapsedMs)).toBeLessThan(1000)
  })

  it('is durable, and takes no connection from a network', async () => {
    const store = await openStore(configOf(lab, { dataDir: lab.dataDir(), fsync: true }), silent)
    const rows = await execute(store.connection, 'SELECT name, setting FROM pg_settings')
    const settings = new Map(rows.map((row) => [row['name'], row['setting']]))
    for (const name of ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums']) {
      expect([name, settings.get(name)]).toEqual([name, 'on'])
    }
    expect(settings.get('listen_addresses')).toBe('')
    await store.close()
  })

  it('is started once by processes that start together', async () => {
    const config = configOf(lab, { dataDir: lab.dataDir() })
    const users = await Promise.all([1, 2, 3].map(() => startStoreUser(config)))
    expect(await readdir(lab.dataDir())).not.toContain('pgdata.new')
    await Promise.all(users.map((user) => user.leave()))
    expect(await serverPid(lab.dataDir())).toBeNull()
  })

  it('lives until its last user leaves, also when the one that started it left first', async () => {
    const config = configOf(lab, { dataDir: lab.dataDir() })
    const starter = await startStoreUser(config)
    const pid = await serverPid(lab.dataDir())
    const other = await startStoreUser(config)
    await starter.leave()
    expect(await serverPid(lab.dataDir())).toBe(pid)
    expect(await execute(other.opened.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await other.leave()
    expect(await serverPid(lab.dataDir())).toBeNull()
  })

  it('outlives a killed process, and the next start adopts it', async () => {
    const config = configOf(lab, { dataDir: lab.dataDir() })
    const starter = await startStoreUser(config)
    const pid = await serverPid(lab.dataDir())
    expect(pid).not.toBeNull()
    await starter.kill()
    const next = await startStoreUser(config)
    expect(await serverPid(lab.dataDir())).toBe(pid)
    await next.leave()
    expect(await serverPid(lab.dataDir())).toBeNull()
  })

  it('serves a process that opens while another closes', async () => {
    const config = configOf(lab, { dataDir: lab.dataDir() })
    let user = await openStore(config, silent)
    for (let round = 0; round < 15; round += 1) {
      const [next] = await Promise.all([openStore(config, silent), user.close()])
      const rows = await execute(next.connection, `SELECT ${round} AS round`)
      expect(rows).toEqual([{ round }])
      user = next
    }
    await user.close()
    expect(await serverPid(lab.dataDir())).toBeNull()
  })

  it('comes back, at the same address, when its server is killed under it', async () => {
    const store = await openStore(configOf(lab, { dataDir: lab.dataDir(), fsync: true }), silent)
    const pool = createPool(store.connection, { max: 2, applicationName: 'test', log: silent })
    await pool.query('CREATE TABLE kept (id int)')
    await pool.query('INSERT INTO kept VALUES (7)')
    const pid = await serverPid(lab.dataDir())
    process.kill(pid ?? 0, 'SIGKILL')
    // A session of the killed server may still answer for a moment.
    await eventually(async () => {
      const current = await serverPid(lab.dataDir())
      if (current === null || current === pid) throw new Error('The server has not come back.')
    })
    const rows = await eventually(async () => (await pool.query<{ id: number }>('SELECT id FROM kept')).rows)
    expect(rows).toEqual([{ id: 7 }])
    await pool.end()
    await store.close()
    expect(await serverPid(lab.dataDir())).toBeNull()
  })

  it('can be left while its server is being started again', async () => {
    const store = await openStore(configOf(lab, { dataDir: lab.dataDir(), fsync: true }), silent)
    const pid = await serverPid(lab.dataDir())
    process.kill(pid ?? 0, 'SIGKILL')
    await eventually(async () => {
      const current = await serverPid(lab.dataDir())
      if (current === null || current === pid) throw new Error('The server has not come back.')
    })
    await store.close()
    expect(await serverPid(lab.dataDir())).toBeNull()
  })

  it('repeats a creation that was cut short', async () => {
    const half = join(lab.dataDir(), 'pgdata.new')
    await mkdir(half, { recursive: true })
    await writeFile(join(half, 'PG_VERSION'), '18\n')
    const store = await openStore(configOf(lab, { dataDir: lab.dataDir() }), silent)
    await store.close()
    expect(await readdir(lab.dataDir())).not.toContain('pgdata.new')
  })

  it('has a socket elsewhere when the path of the data is too long for one', async () => {
    const store = await openStore(configOf(lab, { dataDir: lab.dataDir('long-'.repeat(20)) }), silent)
    expect(store.connection.host).toMatch(/^\/tmp\/sbom-monitor-\d+-[0-9a-f]{16}$/)
    await store.close()
    await rm(store.connection.host ?? '', { recursive: true })
  })

  it('runs on an installation without its library links', async () => {
    const checkoutDir = await copyCheckout(join(lab.folder, 'checkout'))
    const store = await openStore(
      configOf(lab, { dataDir: lab.dataDir(), checkoutDir, postgresBinDir: null }),
      silent,
    )
    await store.close()
    await expect(access(join(lab.folder, 'state'))).rejects.toThrow()
  })

  it('refuses data of another major version', async () => {
    const config = configOf(lab, { dataDir: lab.dataDir() })
    await (await openStore(config, silent)).close()
    await writeFile(join(lab.dataDir(), 'pgdata', 'PG_VERSION'), '14\n')
    await expect(openStore(config, silent)).rejects.toMatchObject({ code: 'version_mismatch' })
  })

  it('refuses a directory that holds something else', async () => {
    await mkdir(join(lab.dataDir(), 'pgdata', 'photos'), { recursive: true })
    await expect(openStore(configOf(lab, { dataDir: lab.dataDir() }), silent)).rejects.toThrow()
  })
})

describe('an embedded store with a postmaster.pid left by a crash', () => {
  let lab: StoreLab
  let config: StoreConfig
  beforeAll(async () => {
    lab = await createStoreLab()
    config = configOf(lab, { dataDir: lab.dataDir() })
    await (await openStore(config, silent)).close()
  })
  afterAll(() => lab.remove())

  const pidFile = () => join(lab.dataDir(), 'pgdata', 'postmaster.pid')
  const lines = (pid: number) =>
    `${pid}\n${join(lab.dataDir(), 'pgdata')}\n1700000000\n5432\n${lab.folder}\n\n\nready   \n`
  const startsWith = async (content: string) => {
    await writeFile(pidFile(), content)
    const store = await openStore(config, silent)
    expect(await execute(store.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await store.close()
  }

  it('starts when the file is empty', () => startsWith(''))

  it('starts when the file was cut', () => startsWith('\n/somewhere'))

  it('starts when the process is gone', async () => {
    const child = spawn('true')
    await once(child, 'exit')
    await startsWith(lines(child.pid ?? 0))
  })

  it('starts when the id now belongs to another program', () => startsWith(lines(process.pid)))

  it('starts when the id now belongs to another program of the same account', async () => {
    const { uid, gid } = await stat(join(lab.dataDir(), 'pgdata'))
    const child = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
    await startsWith(lines(child.pid ?? 0))
    child.kill()
  })

  it('starts when the process is a zombie of the same account', async () => {
    // The shell starts a child, then becomes a program that never waits for it.
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [output] = (await once(parent.stdout, 'data')) as [Buffer]
    await startsWith(lines(Number(output.toString())))
    parent.kill()
  })

  it("starts when the id in the socket's lock file now belongs to another program of the same account", async () => {
    const { uid, gid } = await stat(join(lab.dataDir(), 'pgdata'))
    const child = spawn('sleep', ['60'], { uid, gid, cwd: '/' })
    const socketLock = join(lab.dataDir(), 'socket', '.s.PGSQL.5432.lock')
    await writeFile(socketLock, lines(child.pid ?? 0))
    await startsWith(lines(child.pid ?? 0))
    child.kill()
  })

  it('refuses when a server without its file still answers', async () => {
    const store = await openStore(config, silent)
    const original = await readFile(pidFile(), 'utf8')
    await rm(pidFile())
    await expect(openStore(config, silent)).rejects.toMatchObject({ code: 'foreign_server' })
    await writeFile(pidFile(), original)
    await store.close()
  })

  it('refuses when a server it cannot see still answers', async () => {
    const store = await openStore(config, silent)
    const child = spawn('true')
    await once(child, 'exit')
    const original = await readFile(pidFile(), 'utf8')
    await writeFile(pidFile(), await withPid(pidFile(), child.pid ?? 0))
    await expect(openStore(config, silent)).rejects.toMatchObject({ code: 'foreign_server' })
    await writeFile(pidFile(), original)
    await store.close()
  })
})

describe('an external store', () => {
  it('is refused with the reason when no server answers', async () => {
    const lab = await createStoreLab()
    const config = configOf(lab, { databaseUrl: 'postgresql://someone:secret@127.0.0.1:1/none' })
    const failure = openStore(config, silent)
    await expect(failure).rejects.toMatchObject({ code: 'not_ready' })
    await expect(failure).rejects.not.toThrow('secret')
    await lab.remove()
  })
})

async function execute(connection: pg.ClientConfig, statement: string): Promise<Record<string, unknown>[]> {
  const session = new pg.Client({ user: 'svc', database: 'store', ...connection })
  await session.connect()
  try {
    return (await session.query<Record<string, unknown>>(statement)).rows
  } finally {
    await session.end()
  }
}

/** The first successful result, within 20 s. */
async function eventually<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask()
    } catch (error) {
      if (attempt >= 200) throw error
      await sleep(100)
    }
  }
}
