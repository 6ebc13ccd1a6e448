import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenTo } from '../../src/platform/postgres/listen.ts'
import { createPool } from '../../src/platform/postgres/pool.ts'
import { openSession } from '../../src/platform/postgres/session.ts'
import { isSessionLost, isStoreAway } from '../../src/platform/postgres/store-away.ts'
import { openStore } from '../../src/platform/postgres/store.ts'
import {
  canReplicate,
  openServerGroup,
  serviceRole,
  type Member,
  type ServerGroup,
} from '../reliability/scenarios/server-group.ts'
import { startStoreProxy } from '../support/store-proxy.ts'
import { checkoutDir } from '../support/test-server.ts'
import { portOf } from '../support/port-of.ts'

const log = pino({ level: 'silent' })
const run = promisify(execFile)
const hasPsql = spawnSync('psql', ['--version']).status === 0

type Answer = { port: number; ssl: boolean }

/** The server of a session at this address, and whether it is encrypted. */
async function ask(connectionString: string): Promise<Answer> {
  const { client } = await openSession({ connectionString }, { applicationName: 'test address' })
  try {
    const { rows } = await client.query<Answer>(
      `select current_setting('port')::int as port, ssl from pg_stat_ssl where pid = pg_backend_pid()`,
    )
    return rows[0] ?? { port: 0, ssl: false }
  } finally {
    await client.end()
  }
}

/** The same through libpq; null if refused. */
async function askPsql(address: string): Promise<Answer | null> {
  const query = `select current_setting('port'), ssl from pg_stat_ssl where pid = pg_backend_pid()`
  const env = { PATH: process.env['PATH'], LC_ALL: 'C' }
  try {
    const { stdout } = await run('psql', ['-w', '-AtX', '-c', query, address], { env })
    const [port = '', ssl] = stdout.trim().split('|')
    return { port: Number(port), ssl: ssl === 't' }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 2) return null
    throw error
  }
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('it did not fail')
  return error
}

describe.runIf(canReplicate)(
  `an address of libpq${canReplicate ? '' : ' (skipped: there is no pg_basebackup, of a PostgreSQL 15 or in POSTGRES_BIN_DIR)'}`,
  () => {
    let group: ServerGroup
    let primary: Member
    let standby: Member
    let folder: string
    let authority: string
    let stranger: string
    const at = (hosts: string, query: string) =>
      `postgresql://${serviceRole}@${hosts}/${primary.database}?${query}`

    beforeAll(async () => {
      group = await openServerGroup()
      primary = await group.startPrimary()
      standby = await group.addSynchronousStandby(primary)
      folder = await mkdtemp(join(tmpdir(), `sbom-monitor-test-${process.pid}-`))
      await chmod(folder, 0o755)
      const certificate = () =>
        generate([{ name: 'commonName', value: 'localhost' }], {
          extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
        })
      const [own, other] = [await certificate(), await certificate()]
      authority = join(folder, 'authority.pem')
      stranger = join(folder, 'stranger.pem')
      await writeFile(authority, own.cert)
      await writeFile(stranger, other.cert)
      await primary.administer(
        `alter system set ssl_cert_file = '${await group.ownFile('server.crt', own.cert)}'`,
      )
      await primary.administer(
        `alter system set ssl_key_file = '${await group.ownFile('server.key', own.private)}'`,
      )
      await primary.administer('alter system set ssl = on')
      await primary.administer('select pg_reload_conf()')
    })
    afterAll(async () => {
      await group.close()
      await rm(folder, { recursive: true, force: true })
    })

    describe('whether a session is encrypted, and the server proven', () => {
      it.each<[string, string, 'encrypted' | 'plain' | RegExp]>([
        ['127.0.0.1', 'sslmode=disable', 'plain'],
        ['127.0.0.1', 'sslmode=allow', 'plain'],
        ['127.0.0.1', '', 'encrypted'],
        ['127.0.0.1', 'sslmode=prefer', 'encrypted'],
        ['127.0.0.1', 'sslmode=require', 'encrypted'],
        ['127.0.0.1', 'sslmode=require&sslrootcert=AUTHORITY', 'encrypted'],
        ['127.0.0.1', 'sslmode=require&sslrootcert=STRANGER', /self-signed/],
        ['127.0.0.1', 'sslmode=prefer&sslrootcert=STRANGER', 'plain'],
        ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=AUTHORITY', 'encrypted'],
        ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=STRANGER', /self-signed/],
        ['localhost', 'sslmode=verify-full&sslrootcert=AUTHORITY', 'encrypted'],
        ['127.0.0.1', 'sslmode=verify-full&sslrootcert=AUTHORITY', /does not match certificate's altnames/],
        ['localhost', 'sslmode=verify-full', /self-signed/],
      ])('%s?%s', async (host, query, expected) => {
        const files = query.replace('AUTHORITY', authority).replace('STRANGER', stranger)
        const address = at(`${host}:${primary.port}`, files)
        if (expected instanceof RegExp) {
          expect((await failureOf(ask(address))).message).toMatch(expected)
          if (hasPsql) expect(await askPsql(address)).toBeNull()
          return
        }
        const answer = { port: primary.port, ssl: expected === 'encrypted' }
        expect(await ask(address)).toEqual(answer)
        if (hasPsql) expect(await askPsql(address)).toEqual(answer)
      })

      it('is by the name that goes with an address in numbers', async () => {
        const there = (name: string) =>
          `postgresql:///${primary.database}?user=${serviceRole}&host=${name}&hostaddr=127.0.0.1&port=${primary.port}` +
          `&sslmode=verify-full&sslrootcert=${authority}`
        expect(await ask(there('localhost'))).toEqual({ port: primary.port, ssl: true })
        const other = there('db.example')
        expect((await failureOf(ask(other))).message).toMatch(/does not match certificate's altnames/)
        if (!hasPsql) return
        expect(await askPsql(there('localhost'))).toEqual({ port: primary.port, ssl: true })
        expect(await askPsql(other)).toBeNull()
      })

      it('is as the mode says where the server speaks no TLS', async () => {
        const there = (query: string) => at(`127.0.0.1:${standby.port}`, query)
        expect(await ask(there('sslmode=prefer'))).toEqual({ port: standby.port, ssl: false })
        expect(await ask(there(''))).toEqual({ port: standby.port, ssl: false })
        expect((await failureOf(ask(there('sslmode=require')))).message).toContain('does not support SSL')
      })

      it('is said in words at start, without the password', async () => {
        const config = { dataDir: null, postgresBinDir: null, postgresUser: null, checkoutDir, fsync: false }
        const opened = (databaseUrl: string) => failureOf(openStore({ ...config, databaseUrl }, log))
        const withPassword = (address: string) => address.replace('@', ':s3cret@')
        const { message } = await opened(
          withPassword(at(`localhost:${primary.port}`, `sslmode=verify-full&sslrootcert=${stranger}`)),
        )
        expect(message).toContain(
          'was issued by an authority that is not trusted here; name the file of its certificate in',
        )
        const none = await opened(
          withPassword(at(`127.0.0.1:1,127.0.0.1:${standby.port}`, 'target_session_attrs=read-write')),
        )
        expect(none.message).toBe(
          `DATABASE_URL: no host accepts the session; 127.0.0.1:1: nothing listens there; start the server, or correct host and port (ECONNREFUSED); ` +
            `127.0.0.1:${standby.port}: the server is a standby, which accepts no writes; name every host, the primary too.`,
        )
        for (const said of [message, none.message]) expect(said).not.toContain('s3cret')
      })
    })

    describe('whether the password is bound to the certificate', () => {
      const passwords = { bound: 'scram-sha-256', digested: 'md5', plain: 'password' }

      beforeAll(async () => {
        for (const [role, method] of Object.entries(passwords)) {
          const encryption = method === 'md5' ? 'md5' : 'scram-sha-256'
          await primary.administer(
            `set password_encryption = '${encryption}'; create role ${role} login password 'proven'`,
          )
        }
        const [file] = await primary.query('show hba_file')
        const rules = await readFile(String(file?.['hba_file']), 'utf8')
        const lines = Object.entries(passwords).map(
          ([role, method]) => `host all ${role} 127.0.0.1/32 ${method}\n`,
        )
        await writeFile(String(file?.['hba_file']), lines.join('') + rules)
        await primary.administer('select pg_reload_conf()')
      })

      const refusal = /does not bind the password to its certificate/
      it.each<[string, string, 'taken' | RegExp]>([
        ['bound', 'sslmode=require&channel_binding=require', 'taken'],
        ['bound', 'sslmode=prefer&channel_binding=require', 'taken'],
        ['bound', 'sslmode=require&channel_binding=prefer', 'taken'],
        ['bound', 'sslmode=require&channel_binding=disable', 'taken'],
        ['bound', 'sslmode=require', 'taken'],
        ['bound', 'sslmode=disable&channel_binding=prefer', 'taken'],
        ['bound', 'sslmode=disable&channel_binding=require', refusal],
        ['digested', 'sslmode=require&channel_binding=prefer', 'taken'],
        ['digested', 'sslmode=require&channel_binding=require', refusal],
        ['plain', 'sslmode=require&channel_binding=prefer', 'taken'],
        ['plain', 'sslmode=require&channel_binding=require', refusal],
        [serviceRole, 'sslmode=require&channel_binding=require', refusal],
      ])('%s, %s', async (role, query, expected) => {
        const address = `postgresql://${role}:proven@127.0.0.1:${primary.port}/${primary.database}?${query}`
        if (expected === 'taken') expect((await ask(address)).port).toBe(primary.port)
        else expect((await failureOf(ask(address))).message).toMatch(expected)
        if (hasPsql) expect((await askPsql(address)) !== null).toBe(expected === 'taken')
      })
    })

    describe('where the password is found', () => {
      const kept = async (line: string, mode = 0o600) => {
        const file = join(folder, `passwords-${mode}`)
        await writeFile(file, `db.example:*:*:bound:other\n${line}\n`)
        await chmod(file, mode)
        return file
      }
      const there = (file: string, role = 'bound') =>
        `postgresql://${role}@127.0.0.1:1,127.0.0.1:${primary.port}/${primary.database}?sslmode=require&passfile=${file}`

      it.each(['bound', 'digested', 'plain'])('in the file of the address, for %s', async (role) => {
        const address = there(await kept(`127.0.0.1:${primary.port}:*:${role}:proven`), role)
        expect((await ask(address)).port).toBe(primary.port)
        if (hasPsql) expect(await askPsql(address)).toEqual({ port: primary.port, ssl: true })
      })

      it('in none that others may read, or that has no line for it, and that is said', async () => {
        const line = `127.0.0.1:${primary.port}:*:bound:proven`
        const open = there(await kept(line, 0o644))
        expect((await failureOf(ask(open))).message).toContain('found mode 644')
        const without = there(await kept(`127.0.0.1:1:*:bound:proven`))
        expect((await failureOf(ask(without))).message).toContain(
          'a line for this host, port, database and role',
        )
        for (const address of [open, without]) if (hasPsql) expect(await askPsql(address)).toBeNull()
      })

      it('in the address first', async () => {
        const address = there(await kept('*:*:*:*:wrong')).replace('bound@', 'bound:proven@')
        expect((await ask(address)).port).toBe(primary.port)
      })
    })

    describe('which of several servers is taken', () => {
      const both = (query: string) => at(`127.0.0.1:${standby.port},127.0.0.1:${primary.port}`, query)

      /** On new ports: the server that answered last would be tried first. */
      const unseen = async (test: (standby: string, primary: string) => Promise<void>) => {
        const proxies = await Promise.all(
          [standby, primary].map(({ port, database }) =>
            startStoreProxy({ host: '127.0.0.1', port, user: serviceRole, database }),
          ),
        )
        const [first = '', second = ''] = proxies.map(({ url }) => new URL(url).host)
        try {
          await test(first, second)
        } finally {
          for (const proxy of proxies) await proxy.close()
        }
      }

      it.each([
        ['target_session_attrs=read-write', true],
        ['target_session_attrs=primary', true],
        ['target_session_attrs=any', false],
        ['', false],
      ])('%s', (query, isPrimary) =>
        unseen(async (first, second) => {
          const address = at(`${first},${second}`, query)
          const answer = await ask(address)
          expect(answer.port).toBe(isPrimary ? primary.port : standby.port)
          if (hasPsql) expect(await askPsql(address)).toEqual(answer)
        }),
      )

      it('is the one that takes writes, for pools and whoever listens too', async () => {
        const connection = { connectionString: both('target_session_attrs=read-write') }
        const pool = createPool(connection, { max: 5, applicationName: 'test address', log })
        const told = Promise.withResolvers<true>()
        const listening = Promise.withResolvers<true>()
        let begun = false
        const act = () => {
          if (begun) told.resolve(true)
          begun = true
          listening.resolve(true)
        }
        const listener = listenTo(connection, { channels: { moved: act }, log })
        const ports = await Promise.all(
          Array.from({ length: 5 }, () => pool.query<Answer>(`select current_setting('port')::int as port`)),
        )
        expect(new Set(ports.map(({ rows }) => rows[0]?.port))).toEqual(new Set([primary.port]))
        await listening.promise
        await pool.query('notify moved')
        await told.promise
        await listener.stop()
        await pool.end()
      })

      it('may be another one at the same address the next time, and a long statement goes on', async () => {
        const further = await group.addStandby(primary)
        const ports = [standby.port, further.port]
        const sockets = new Set<Socket>()
        const balancer = createServer((client) => {
          const port = ports.shift() ?? further.port
          const server = connect(port, '127.0.0.1')
          for (const socket of [client, server]) {
            sockets.add(socket)
            socket
              .on('error', () => undefined)
              .on('close', () => [client, server].map((one) => one.destroy()))
          }
          client.pipe(server).pipe(client)
        })
        balancer.listen(0, '127.0.0.1')
        await once(balancer, 'listening')
        const port = portOf(balancer)
        const connectionString = at(`127.0.0.1:${port}`, 'sslmode=disable')
        const pool = createPool(
          { connectionString, seeksStandby: true },
          { max: 1, applicationName: 'test address', log },
        )
        const asked = await pool.query<Answer>(`select current_setting('port')::int as port from pg_sleep(9)`)
        expect([standby.port, further.port]).toContain(asked.rows[0]?.port)
        await pool.end()
        for (const socket of sockets) socket.destroy()
        balancer.close()
      })

      it('is undecided while all are standbys or away, which passes', async () => {
        const hosts = `127.0.0.1:1,127.0.0.1:${standby.port}`
        const error = await failureOf(ask(at(hosts, 'target_session_attrs=read-write')))
        expect(error.message).toContain(
          `no host of the database accepts the session (127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1; 127.0.0.1:${standby.port}: the server is a standby`,
        )
        expect([isSessionLost(error), isStoreAway(error)]).toEqual([true, true])
        // Errors passed between processes keep only their message.
        expect(isSessionLost(new Error(error.message))).toBe(true)
      })

      it('is not a host that accepts and says nothing', async () => {
        const held = new Set<Socket>()
        const silent = createServer((socket) => held.add(socket.resume().on('error', () => socket.destroy())))
        silent.listen(0, '127.0.0.1')
        await once(silent, 'listening')
        const port = portOf(silent)
        await unseen(async (_, second) => {
          const address = at(`127.0.0.1:${port},${second}`, 'target_session_attrs=read-write')
          // the second time it is asked last
          for (let turn = 0; turn < 2; turn += 1) {
            expect((await ask(address)).port).toBe(primary.port)
            expect(held.size).toBe(1)
          }
        })
        for (const socket of held) socket.destroy()
        silent.close()
      })

      it('is no longer a server that was set to read only: its sessions end with what they could not write', async () => {
        const hosts = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`
        const connection = { connectionString: at(hosts, 'target_session_attrs=read-write') }
        const pool = createPool(connection, { max: 1, applicationName: 'test address', log })
        const pid = async () =>
          (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
        const before = await pid()
        await pool.query('create table written (id int)')
        await primary.administer('alter system set default_transaction_read_only = on')
        await primary.administer('select pg_reload_conf()')
        const refused = async () => {
          const error: unknown = await pool
            .query('insert into written values (1)')
            .catch((thrown: unknown) => thrown)
          return error instanceof Error && 'code' in error && error.code === '25006'
        }
        while (!(await refused())) continue
        const error = await failureOf(pool.query('select 1'))
        expect(error.message).toContain('the server is set to read only, which accepts no writes')
        await primary.administer('alter system reset default_transaction_read_only')
        await primary.administer('select pg_reload_conf()')
        const back = async () => pid().catch(() => before)
        while ((await back()) === before) continue
        await pool.query('insert into written values (2)')
        await pool.end()
      })
    })
  },
)
