import { connect } from 'node:net'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import { decideFindings } from '../../src/contract/findings/operations.ts'
import { exportVex } from '../../src/contract/vex/operations.ts'
import { exportWorkspace } from '../../src/contract/workspace/closing-operations.ts'
import { exportComponents } from '../../src/contract/export-operations.ts'
import { searchWorkspace } from '../../src/contract/inventory/operations.ts'
import { getMetrics } from '../../src/contract/metrics/operations.ts'
import { createFamily } from '../../src/contract/products/operations.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import type { Db } from '../../src/database/connection.ts'
import type { Tables } from '../../src/database/tables.ts'
import { createPool, createQueries } from '../../src/platform/postgres/pool.ts'
import { Replica } from '../../src/platform/postgres/replica/replica.ts'
import { migrate } from '../../src/schema/migrate.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { drain } from '../support/drain.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { tarFiles } from '../support/tar-files.ts'
import { fillWorkspace } from './scenarios/isolation/fill-workspace.ts'
import { startStoreProxy, type StoreProxy } from '../support/store-proxy.ts'
import {
  canReplicate,
  openServerGroup,
  serviceRole,
  type Member,
  type ServerGroup,
} from './scenarios/server-group.ts'
import { readAs } from '../support/read-as.ts'

/** More than the buffers between server and an idle reader can hold. */
const components = 50_000
const log = pino({ level: 'silent' })

let group: ServerGroup
let primary: Member
let standby: Member
let proxy: StoreProxy
let db: Db
let http: TestHttp
let owner: AppSession
let sbom: string
let umbrella: TestWorkspace
const places: string[] = []
const replicas: Replica[] = []

const addressOf = ({ port, database }: Member) => ({
  connectionString: `postgresql://${serviceRole}@127.0.0.1:${port}/${database}`,
})

const replicaAt = (url: string, of = { db, primary }): Replica => {
  const options = { primary: addressOf(of.primary), url, poolSize: 4, role: 'test', log }
  const replica = new Replica(of.db, { ...options, observe: (place) => places.push(place) })
  replicas.push(replica)
  return replica
}

/** The servers on which the reads caused by `act` ran. */
async function placesOf(act: () => Promise<unknown>): Promise<string[]> {
  places.length = 0
  await act()
  return [...places]
}

const untilReplayed = async () => {
  const [row] = await primary.query('select pg_current_wal_insert_lsn()::text as lsn')
  const isReplayed = async () => {
    const [there] = await standby.query(
      `select pg_last_wal_replay_lsn() >= '${String(row?.['lsn'])}' as done`,
    )
    expect(there).toEqual({ done: true })
  }
  await vi.waitFor(isReplayed, { timeout: 60_000, interval: 50 })
}

/** Takes a snapshot that still sees the rows of `probe`, with the first statement. */
async function standInTheWay(): Promise<void> {
  await standby.administer('alter system set max_standby_streaming_delay = 0')
  await standby.administer('select pg_reload_conf()')
  const isUnderWay = async () => expect(await standby.query(underWay)).toEqual([{ state: 'active' }])
  await vi.waitFor(isUnderWay, { timeout: 30_000, interval: 50 })
  await primary.query('delete from probe')
  await primary.query('vacuum (freeze) probe')
}

/** A server given up on is retried after a while. */
const untilOnStandby = () =>
  vi.waitFor(async () => expect(await placesOf(() => found('quokka'))).toEqual(['replica']), {
    timeout: 60_000,
    interval: 200,
  })

/** A paused standby may still replay what arrives at that moment. */
async function pauseReplay(): Promise<void> {
  await untilReplayed()
  await standby.administer('select pg_wal_replay_pause()')
  await vi.waitFor(
    async () =>
      expect(await standby.administer('select pg_get_wal_replay_pause_state() as state')).toEqual([
        { state: 'paused' },
      ]),
    { timeout: 60_000, interval: 20 },
  )
}

const underWay = `select state from pg_stat_activity where query like '%/* probe */%' and pid <> pg_backend_pid()`

const found = async (words: string) =>
  (await owner.call(searchWorkspace, { query: { q: words } })).hits.map(({ label }) => label)

describe.runIf(canReplicate)(
  `reads on a standby${canReplicate ? '' : ' (skipped: there is no pg_basebackup, of a PostgreSQL 15 or in POSTGRES_BIN_DIR)'}`,
  () => {
    beforeAll(async () => {
      group = await openServerGroup()
      primary = await group.startPrimary()
      const connection = addressOf(primary)
      await migrate(connection, join(import.meta.dirname, '../../database/migrations'))
      standby = await group.addStandby(primary)
      const { port, database } = standby
      proxy = await startStoreProxy({ host: '127.0.0.1', port, user: serviceRole, database })
      db = createQueries<Tables>(createPool(connection, { max: 8, applicationName: 'test', log }))
      const reads = replicaAt(proxy.url)
      http = await startTestHttp({ database: { connection, db }, now: () => testNow, reads })
      const [acme, other] = await createScene(db, { plan: 'plus' })
      umbrella = other
      owner = await AppSession.signIn(http.url, acme.members.owner)
      const sent = await call(`${http.url}/api/v1/sboms`, {
        method: 'POST',
        token: acme.families[0]?.upload ?? '',
        body: gzipSync(sampleSbom({ components, serial: 1, version: '1.0' })),
      })
      await drain(db, testNow)
      sbom = readAs(SbomReceipt, sent.body).id
      await untilReplayed()
      await reads.open()
    }, 300_000)
    afterAll(async () => {
      await http.stop()
      for (const replica of replicas) await replica.close()
      await db.destroy()
      await proxy.close()
      await group.close()
    })

    it('are made there: searches, metrics and files', async () => {
      expect(await placesOf(() => found('pump'))).toEqual(['replica'])
      expect(await placesOf(() => owner.call(getMetrics))).toEqual(['replica'])
      const file = { params: { sbom }, query: { format: 'csv' as const } }
      let text = ''
      expect(
        await placesOf(async () => (text = await (await owner.open(exportComponents, file)).body.text())),
      ).toEqual(['replica'])
      expect(text.split('\r\n').length).toBeGreaterThan(components)
    })

    it('show what was just done, or are made on the primary', async () => {
      await owner.call(createFamily, { body: { name: 'Quokka' } })
      expect(await found('quokka')).toContain('Quokka')
      await pauseReplay()
      try {
        await owner.call(createFamily, { body: { name: 'Wombat' } })
        let labels: string[] = []
        expect(await placesOf(async () => (labels = await found('wombat')))).toEqual(['primary_behind'])
        expect(labels).toContain('Wombat')
        // a session without writes need not wait
        expect(
          await placesOf(
            () => replicas[0]?.read({ seen: null }, () => Promise.resolve()) ?? Promise.resolve(),
          ),
        ).toEqual(['replica'])
      } finally {
        await standby.administer('select pg_wal_replay_resume()')
      }
    })

    it('show it as well when the browser was closed in between, which leaves the person signed in', async () => {
      const answer = await owner.ask(createFamily, { body: { name: 'Numbat' } })
      const [seen = ''] = [answer.headers['set-cookie'] ?? []].flat()
      expect(seen).toMatch(/^__Host-sbom_monitor_seen=.*; Max-Age=2592000;/)
    })

    it('are made again on the primary when the standby gives them up for what it replays', async () => {
      await primary.query('create table probe as select n from generate_series(1, 1000) n')
      await primary.query('grant select on probe to public')
      await untilReplayed()
      await untilOnStandby()
      let runs = 0
      const reading = replicas[0]?.read({ seen: null }, async (each) => {
        runs += 1
        if (runs > 1) return 'primary'
        await each
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute(async (tx) => {
            await sql`select count(*) from probe`.execute(tx)
            await Promise.all([sql`select pg_sleep(50) /* probe */`.execute(tx), standInTheWay()])
          })
        return 'standby'
      })
      await expect(reading).resolves.toBe('primary')
      expect(places.at(-1)).toBe('primary_given_up')
      await standby.administer('alter system reset max_standby_streaming_delay')
      await standby.administer('select pg_reload_conf()')
    })

    it('leave a standby that falls silent, and return to it', async () => {
      await untilOnStandby()
      const startedAt = performance.now()
      let labels: string[] = []
      const silent = replicas[0]?.read({ seen: null }, async (each) => {
        if (each === db) return 'primary'
        proxy.silence({ alsoNew: true })
        await sql`select 1`.execute(each)
        return 'standby'
      })
      await expect(silent).resolves.toBe('primary')
      console.info(`a silent standby was left after ${Math.round((performance.now() - startedAt) / 1000)} s`)
      expect(await placesOf(async () => (labels = await found('quokka')))).toEqual(['primary_away'])
      expect(labels).toContain('Quokka')
      proxy.speak()
      await untilOnStandby()
    })

    it('refuse a server of other data, in words', async () => {
      const other = await group.startPrimary()
      await expect(replicaAt(addressOf(other).connectionString).open()).rejects.toThrow(
        'DATABASE_READ_URL: not a standby of the server of DATABASE_URL',
      )
      // the primary itself, as after its promotion, is never used as a standby
      const own = replicaAt(addressOf(primary).connectionString)
      await own.open()
      expect(await placesOf(() => own.read({ seen: null }, () => Promise.resolve()))).toEqual([
        'primary_away',
      ])
    })

    it('are made there: a whole archive, and exported verdicts, as the primary has them', async () => {
      const filled = await fillWorkspace({ url: http.url, db, workspace: umbrella })
      await drain(db, testNow)
      await untilReplayed()
      await untilOnStandby()
      const onPrimary = await startTestHttp({
        database: { connection: addressOf(primary), db },
        now: () => testNow,
      })
      try {
        const files = async (url: string) => {
          const session = await AppSession.signIn(url, umbrella.members.owner)
          const archive = await session.open(exportWorkspace)
          expect(archive.statusCode).toBe(200)
          return tarFiles(gunzipSync(Buffer.from(await archive.body.arrayBuffer())))
        }
        let there = new Map<string, Buffer>()
        expect(await placesOf(async () => (there = await files(http.url)))).toEqual(['replica'])
        const here = await files(onPrimary.url)
        // each archive names the act that created it
        const names = (archive: Map<string, Buffer>) =>
          [...archive.keys()].filter((name) => !/audit|manifest/.test(name))
        expect(names(there).length).toBeGreaterThan(10)
        expect(names(there)).toEqual(names(here))
        for (const name of names(there))
          expect({ name, bytes: there.get(name) }).toEqual({ name, bytes: here.get(name) })

        const session = await AppSession.signIn(http.url, umbrella.members.owner)
        const family = filled['family'] ?? ''
        for (const format of ['openvex', 'csaf', 'cyclonedx'] as const) {
          let document = ''
          const asked = { params: { family }, query: { format } }
          const place = await placesOf(
            async () => (document = await (await session.open(exportVex, asked)).body.text()),
          )
          expect({ format, place }).toEqual({ format, place: ['replica'] })
          expect(document).toContain('CVE-2026-4242')
        }
      } finally {
        await onPrimary.stop()
      }
    })

    it('of one act are seen in the verdicts that are exported next', async () => {
      const session = await AppSession.signIn(http.url, umbrella.members.owner)
      const [family] = umbrella.families
      const exported = async () => {
        const answer = await session.open(exportVex, { params: { family: family?.id ?? '' } })
        return answer.body.text()
      }
      await pauseReplay()
      try {
        const findings = await db
          .selectFrom('finding')
          .select('id')
          .where('workspace_id', '=', umbrella.id)
          .where('family_id', '=', family?.id ?? '')
          .execute()
        const comment = 'said while nothing is replayed'
        await session.call(decideFindings, {
          body: {
            findingIds: findings.map(({ id }) => id),
            verdict: 'affected',
            everyVersion: false,
            comment,
          },
        })
        await drain(db, testNow)
        let document = ''
        expect(await placesOf(async () => (document = await exported()))).toEqual(['primary_behind'])
        expect(document).toContain(comment)
      } finally {
        await standby.administer('select pg_wal_replay_resume()')
      }
    })

    it.each(['1.0', '1.1'])('that die in the middle of a file break it: HTTP/%s', async (version) => {
      await untilReplayed()
      await untilOnStandby()
      const path = exportComponents.path.replace(':slug', 'acme').replace(':sbom', sbom)
      const socket = connect(http.port, '127.0.0.1')
      const end = new Promise<string>((resolve) => {
        socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
        socket.once('end', () => resolve('end'))
      })
      const cookie = owner.cookies['cookie'] ?? ''
      socket.write(`GET ${path} HTTP/${version}\r\nhost: localhost\r\ncookie: ${cookie}\r\n\r\n`)
      await new Promise((resolve) => socket.once('data', resolve))
      socket.pause()
      proxy.cut()
      socket.resume()
      expect(await end).toBe('ECONNRESET')
    })

    // the last one: nothing of the above goes on after it
    it('show what was done since another standby was promoted that had replayed less', async () => {
      const rival = await group.addStandby(primary)
      await rival.administer("alter system set primary_conninfo = ''")
      await rival.administer('select pg_reload_conf()')
      await vi.waitFor(
        async () => expect(await rival.administer('select from pg_stat_wal_receiver')).toEqual([]),
        { timeout: 4_000, interval: 20 },
      )
      await primary.query('create table lost as select generate_series(1, 100000)')
      await untilReplayed()
      await primary.kill()
      await rival.promote()
      await rival.query('create table done ()')
      const to = createQueries<Tables>(createPool(addressOf(rival), { max: 2, applicationName: 'test', log }))
      try {
        const reads = replicaAt(addressOf(standby).connectionString, { db: to, primary: rival })
        const seen = await reads.position()
        expect(await placesOf(() => reads.read({ seen }, () => Promise.resolve()))).toEqual([
          'primary_behind',
        ])
      } finally {
        await to.destroy()
      }
    })
  },
)
