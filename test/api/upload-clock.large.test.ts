import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { VexReceipt } from '../../src/contract/vex/shapes.ts'
import { createCompany, createFamilyToken, type Company } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { sendHalf } from '../support/half-upload.ts'
import { call, startTestHttp, type TestHttp } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { sampleVex } from '../support/sample-vex.ts'
import { testNow } from '../support/clock.ts'
import { readAs } from '../support/read-as.ts'

const after = (ms: number) => new Date(testNow.getTime() + ms)
const minute = 60_000
const hour = 60 * minute
const clock = { at: testNow }

let database: TestDatabase
let company: Company
/** Two processes, each with its own parser child. */
let servers: [TestHttp, TestHttp]
let serial = 0

beforeAll(async () => {
  database = await createTestDatabase()
  company = await createCompany(database.db, 'acme', 'trial')
  const now = () => clock.at
  const options = { database, now, hasParserChildren: true }
  servers = [await startTestHttp(options), await startTestHttp(options)]
})

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await database.drop()
})

beforeEach(() => moveTo(testNow))

function moveTo(at: Date): void {
  clock.at = at
  for (const server of servers) server.tellTime()
}

type Endpoint = 'sboms' | 'vex'

function documentFor(endpoint: Endpoint): Buffer {
  serial += 1
  return endpoint === 'vex' ? sampleVex(serial) : sampleSbom({ components: 3, serial, version: 'clock' })
}

type HalfSent = { of?: Company; server?: TestHttp; expiresAt?: Date | null }

async function half(
  endpoint: Endpoint,
  { of = company, server = servers[0], expiresAt = null }: HalfSent = {},
) {
  const { secret } = await createFamilyToken(database.db, of, { expiresAt })
  const url = `${server.url}/api/v1/${endpoint}`
  return sendHalf({ database, url, token: secret, body: documentFor(endpoint) })
}

async function whole(endpoint: Endpoint, server = servers[0]) {
  const { secret } = await createFamilyToken(database.db, company)
  const body = documentFor(endpoint)
  return call(`${server.url}/api/v1/${endpoint}`, { method: 'POST', token: secret, body })
}

const sbomRow = (id: string) =>
  database.db.selectFrom('sbom').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const vexRow = (id: string) =>
  database.db.selectFrom('vex_document').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Locks the company's family as an upload to it does, until `release`. */
async function lockFamily(): Promise<{ untilWaitedFor: () => Promise<void>; release: () => Promise<void> }> {
  const session = await database.pool.connect()
  await session.query('begin')
  await session.query('select from family where id = $1 for no key update', [company.familyId])
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid')
  return {
    untilWaitedFor: async () => {
      for (;;) {
        const { rowCount } = await database.pool.query(
          'select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))',
          [rows[0]?.pid],
        )
        if (rowCount !== null && rowCount > 0) return
        await sleep(5)
      }
    },
    release: async () => {
      await session.query('commit')
      session.release()
    },
  }
}

describe.each(['sboms', 'vex'] as const)(
  'what ends by the clock while a body arrives, on /%s',
  (endpoint) => {
    const setWorkspace = (set: Record<string, unknown>) =>
      database.db.updateTable('workspace').set(set).where('id', '=', company.workspaceId).execute()

    it('a token that expires: 401', async () => {
      const upload = await half(endpoint, { expiresAt: after(minute) })
      moveTo(after(minute))
      expect(await upload.finish()).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
    })

    it('a trial: 402', async () => {
      const upload = await half(endpoint)
      await setWorkspace({ trial_ends_at: after(minute) })
      moveTo(after(minute))
      const answer = await upload.finish()
      await setWorkspace({ trial_ends_at: after(30 * 24 * hour) })
      expect(answer).toMatchObject({ status: 402, body: { error: 'billing_lapsed' } })
    })

    it('a workspace whose day of closing comes: 402', async () => {
      const upload = await half(endpoint)
      await setWorkspace({ closed_at: after(minute) })
      moveTo(after(minute))
      const answer = await upload.finish()
      await setWorkspace({ closed_at: null })
      expect(answer).toMatchObject({ status: 402, body: { error: 'billing_lapsed' } })
    })

    it('a token that expires while the document waits to be stored: 401, and nothing is', async () => {
      const before = await countDocuments()
      const held = await lockFamily()
      const upload = await half(endpoint, { expiresAt: after(minute) })
      const answer = upload.finish()
      await held.untilWaitedFor()
      moveTo(after(minute))
      await held.release()
      expect(await answer).toMatchObject({ status: 401, body: { error: 'unauthorized' } })
      expect(await countDocuments()).toEqual(before)
    })
  },
)

describe('a document arrived when it was stored', () => {
  it('not when its request began', async () => {
    const uploads = [await half('sboms'), await half('vex')] as const
    moveTo(after(5 * minute))
    const sbom = readAs(SbomReceipt, (await uploads[0].finish()).body)
    const vex = readAs(VexReceipt, (await uploads[1].finish()).body)
    expect((await sbomRow(sbom.id)).received_at).toEqual(after(5 * minute))
    expect((await vexRow(vex.id)).received_at).toEqual(after(5 * minute + 1))
    const { at } = await database.db
      .selectFrom('audit_event')
      .select('at')
      .where('object_id', '=', sbom.id)
      .executeTakeFirstOrThrow()
    expect(at).toEqual(after(5 * minute))
  })

  it('of two on two processes the one stored later is the active one and the later one', async () => {
    moveTo(after(10 * minute))
    const began = await half('sboms', { server: servers[0] })
    const other = readAs(SbomReceipt, (await whole('sboms', servers[1])).body)
    const late = readAs(SbomReceipt, (await began.finish()).body)
    const [earlier, later] = [await sbomRow(other.id), await sbomRow(late.id)]
    expect([earlier.active, later.active]).toEqual([false, true])
    expect(earlier.replaced_by).toBe(late.id)
    expect(later.received_at.getTime()).toBeGreaterThan(earlier.received_at.getTime())
    expect(late.id > other.id).toBe(true)
  })

  it('also when they race: every next one is later', async () => {
    moveTo(after(20 * minute))
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, place) => whole('sboms', servers[place % 2 === 0 ? 0 : 1])),
    )
    expect(answers.filter(({ status }) => status !== 202)).toEqual([])
    const ids = answers.map(({ body }) => readAs(SbomReceipt, body).id)
    const rows = await database.db
      .selectFrom('sbom')
      .select(['id', 'received_at', 'active', 'replaced_by'])
      .where('id', 'in', ids)
      .orderBy('received_at')
      .execute()
    expect(new Set(rows.map((row) => row.received_at.getTime())).size).toBe(10)
    expect(rows.slice(0, -1).map((row) => row.replaced_by)).toEqual(rows.slice(1).map(({ id }) => id))
    expect(rows.map(({ active }) => active)).toEqual([...Array<boolean>(9).fill(false), true])
  })
})

describe('with the clock set back', () => {
  it('what is stored later still arrived later, and its jobs run', async () => {
    moveTo(after(48 * hour))
    const ahead = { sbom: (await whole('sboms')).body, vex: (await whole('vex')).body } as const
    moveTo(after(hour))
    const behind = { sbom: (await whole('sboms')).body, vex: (await whole('vex')).body } as const
    const [first, second] = [
      await sbomRow(readAs(SbomReceipt, ahead.sbom).id),
      await sbomRow(readAs(SbomReceipt, behind.sbom).id),
    ]
    expect([first.active, second.active]).toEqual([false, true])
    expect(second.received_at.getTime()).toBeGreaterThan(first.received_at.getTime())
    const [early, late] = [
      await vexRow(readAs(VexReceipt, ahead.vex).id),
      await vexRow(readAs(VexReceipt, behind.vex).id),
    ]
    expect(early.replaced_by).toBe(late.id)
    expect(late.received_at.getTime()).toBeGreaterThan(early.received_at.getTime())
    await drain(database.db, clock.at)
    expect((await sbomRow(second.id)).status).toBe('matched')
  })
})

async function countDocuments() {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    'select (select count(*) from sbom) as sboms, (select count(*) from vex_document) as documents',
  )
  return rows[0]
}
