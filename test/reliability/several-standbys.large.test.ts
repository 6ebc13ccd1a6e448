import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { generate } from 'selfsigned'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import type { Db } from '../../src/database/connection.ts'
import type { Tables } from '../../src/database/tables.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { Replica } from '../../src/platform/postgres/replica/replica.ts'
import { startStoreProxy, type StoreProxy } from '../support/store-proxy.ts'
import {
  canReplicate,
  openServerGroup,
  serviceRole,
  type Member,
  type ServerGroup,
} from './scenarios/server-group.ts'

const log = pino({ level: 'silent' })

let group: ServerGroup
let primary: Member
let standbys: [Member, Member]
let proxies: [StoreProxy, StoreProxy]
let authority: string
let folder: string
let db: Db
const replicas: Replica[] = []
let places: string[] = []

const urlOf = (hosts: readonly string[], query = '') =>
  `postgresql://${serviceRole}@${hosts.join(',')}/${primary.database}${query}`
const hostOf = ({ port }: Member) => `127.0.0.1:${port}`
const hostBehind = ({ url }: StoreProxy) => new URL(url).host

function replicaAt(url: string): Replica {
  const replica = new Replica(db, {
    primary: { connectionString: urlOf([hostOf(primary)]) },
    url,
    poolSize: 4,
    role: 'test',
    log,
    observe: (place) => places.push(place),
  })
  replicas.push(replica)
  return replica
}

/** The port of the server that answered, and whether the session is encrypted. */
async function answering(
  replica: Replica,
): Promise<{ port: number; ssl: boolean; place: string | undefined }> {
  places = []
  const { rows } = await replica.read({ seen: null }, (each) =>
    sql<{ port: number; ssl: boolean }>`
      select current_setting('port')::int as port, (select ssl from pg_stat_ssl where pid = pg_backend_pid()) as ssl`.execute(
      each,
    ),
  )
  const [row] = rows
  return { port: row?.port ?? 0, ssl: row?.ssl === true, place: places.at(-1) }
}

const untilAnsweredBy = (replica: Replica, { port }: Member) =>
  vi.waitFor(async () => expect(await answering(replica)).toMatchObject({ port }), {
    timeout: 60_000,
    interval: 200,
  })

describe.runIf(canReplicate)(
  `several standbys of one address${canReplicate ? '' : ' (skipped: there is no pg_basebackup, of a PostgreSQL 15 or in POSTGRES_BIN_DIR)'}`,
  () => {
    beforeAll(async () => {
      group = await openServerGroup()
      primary = await group.startPrimary()
      await encrypt(primary)
      standbys = [await group.addStandby(primary), await group.addStandby(primary)]
      const behind = ({ port, database }: Member) =>
        startStoreProxy({ host: '127.0.0.1', port, user: serviceRole, database })
      proxies = [await behind(standbys[0]), await behind(standbys[1])]
      const connection = { connectionString: urlOf([hostOf(primary)]) }
      db = createQueries<Tables>(createPool(connection, { max: 4, applicationName: 'test', log }))
    }, 300_000)
    afterEach(async () => {
      for (const proxy of proxies) proxy.speak()
      for (const replica of replicas.splice(0)) await replica.close()
    })
    afterAll(async () => {
      await db.destroy()
      for (const proxy of proxies) await proxy.close()
      await group.close()
      await rm(folder, { recursive: true, force: true })
    })

    /** Its standbys are cloned with this setting, too. */
    async function encrypt(server: Member): Promise<void> {
      folder = await mkdtemp(join(tmpdir(), `sbom-monitor-test-${process.pid}-`))
      await chmod(folder, 0o755)
      const own = await generate([{ name: 'commonName', value: 'localhost' }], {
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'localhost' }] }],
      })
      authority = join(folder, 'authority.pem')
      await writeFile(authority, own.cert)
      const [cert, key] = [
        await group.ownFile('server.crt', own.cert),
        await group.ownFile('server.key', own.private),
      ]
      await server.administer(`alter system set ssl_cert_file = '${cert}'`)
      await server.administer(`alter system set ssl_key_file = '${key}'`)
      await server.administer('alter system set ssl = on')
      await server.administer('select pg_reload_conf()')
    }

    it('are proven and encrypted as sslmode says', async () => {
      const { port } = standbys[0]
      const proven = replicaAt(urlOf([`localhost:${port}`], `?sslmode=verify-full&sslrootcert=${authority}`))
      await proven.open()
      expect(await answering(proven)).toEqual({ port, ssl: true, place: 'replica' })
      const plain = replicaAt(urlOf([hostOf(standbys[0])], '?sslmode=disable'))
      expect(await answering(plain)).toEqual({ port, ssl: false, place: 'replica' })
      const unproven = replicaAt(
        urlOf([hostOf(standbys[0])], `?sslmode=verify-full&sslrootcert=${authority}`),
      )
      expect(await answering(unproven)).toMatchObject({ port: primary.port, place: 'primary_away' })
    })

    it('take turns where the address says so', async () => {
      const seen = new Set<number>()
      for (let round = 0; seen.size < 2 && round < 30; round += 1) {
        const replica = replicaAt(urlOf(standbys.map(hostOf), '?load_balance_hosts=random'))
        seen.add((await answering(replica)).port)
      }
      expect([...seen].sort()).toEqual(standbys.map(({ port }) => port).sort())
    })

    it('that fall silent are left for the other one', async () => {
      const replica = replicaAt(urlOf(proxies.map(hostBehind)))
      await untilAnsweredBy(replica, standbys[0])
      const startedAt = performance.now()
      const silent = replica.read({ seen: null }, async (each) => {
        if (each === db) return 'primary'
        proxies[0].silence({ alsoNew: true })
        await sql`select 1`.execute(each)
        return 'standby'
      })
      await expect(silent).resolves.toBe('primary')
      const ms = performance.now() - startedAt
      console.info(`a silent one of two was left after ${Math.round(ms / 1000)} s`)
      expect(ms).toBeLessThan(12_000)
      await untilAnsweredBy(replica, standbys[1])
      expect(places.at(-1)).toBe('replica')
    })

    it('with a server of other data among them are refused, by its name', async () => {
      const other = await group.startPrimary()
      await expect(replicaAt(urlOf([hostOf(standbys[0]), hostOf(other)])).open()).rejects.toThrow(
        `DATABASE_READ_URL: not a standby of the server of DATABASE_URL, or another database of it (${hostOf(other)})`,
      )
    })

    it('are read while the primary is among them, and after one of them is promoted or gone', async () => {
      const replica = replicaAt(urlOf([primary, ...standbys].map(hostOf)))
      await replica.open()
      const { port, place } = await answering(replica)
      expect(place).toBe('replica')
      const [first, second] = port === standbys[0].port ? standbys : standbys.toReversed()
      if (first === undefined || second === undefined) throw new Error('there are two standbys')
      expect(port).toBe(first.port)
      await first.promote()
      await untilAnsweredBy(replica, second)
      expect(places.at(-1)).toBe('replica')
      await second.kill()
      expect(await answering(replica)).toMatchObject({ port: primary.port, place: 'primary_away' })
    })
  },
)
