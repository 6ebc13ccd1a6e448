import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '../../src/database/connection.ts'
import { recordActs } from '../../src/audit/record-acts.ts'
import { chainEvents } from '../../src/audit/chain-events.ts'
import { verifyTrail } from '../../src/audit/verify-trail.ts'
import { testNow } from '../support/clock.ts'
import { createCompany, type Company } from '../support/company.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let store: TestDatabase
let acme: Company

beforeAll(async () => {
  store = await createTestDatabase()
  acme = await createCompany(store.db, 'acme')
})
afterAll(() => store.drop())
beforeEach(async () => {
  await asSuperuser(
    'delete from audit_link; delete from audit_chain; delete from audit_due; delete from audit_event',
  )
  await record(names(12))
  await chainEvents(store.db)
})

const names = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `Pump ${from + index}`)
const verify = (known: Parameters<typeof verifyTrail>[1] = []) => verifyTrail(store.db, known)

/** Only the server's operator could do this: changes rows with triggers off. */
async function asSuperuser(statement: string): Promise<void> {
  const tables = ['audit_event', 'audit_link']
  const all = (how: string) => tables.map((table) => `alter table ${table} ${how} trigger user;`).join(' ')
  await store.pool.query(`begin; ${all('disable')} ${statement}; ${all('enable')} commit`)
}

async function recordIn(tx: Tx, which: readonly string[], workspaceId: string | null = acme.workspaceId) {
  await recordActs(
    tx,
    which.map((name) => ({
      workspaceId,
      actor: { kind: 'person', id: acme.familyId, name: 'Olga', requestId: 'r-1', address: '192.0.2.7' },
      at: testNow,
      action: 'family.renamed',
      object: { kind: 'family', id: acme.familyId, name },
      before: { name: 'Pump', list: [1, { é: null }] },
      after: { name },
    })),
  )
}

const record = (which: readonly string[], workspaceId?: string | null) =>
  store.db.transaction().execute((tx) => recordIn(tx, which, workspaceId))

async function ids(): Promise<number[]> {
  const rows = await store.db.selectFrom('audit_event').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

describe('a trail that nobody touched', () => {
  it('is whole, one chain for each workspace and one for the installation', async () => {
    const umbrella = await createCompany(store.db, `umbrella-${Date.now()}`)
    await record(names(3), null)
    await record(names(2), umbrella.workspaceId)
    await chainEvents(store.db)
    const { isWhole, chains, waiting, problems } = await verify()
    expect({ isWhole, waiting, problems }).toEqual({
      isWhole: true,
      waiting: { events: 0, first: null },
      problems: [],
    })
    const events = new Map(chains.map(({ workspace, events: count }) => [workspace, count]))
    expect(events.get(null)).toBe(3)
    expect(events.get('acme')).toBe(12)
    expect(events.get(umbrella.slug)).toBeGreaterThanOrEqual(2)
  })

  it('says what waits to be chained', async () => {
    await record(['late'])
    const last = (await ids()).at(-1)
    expect(await verify()).toMatchObject({ isWhole: true, waiting: { events: 1, first: last } })
    expect(await chainEvents(store.db)).toBe(1)
    expect(await chainEvents(store.db)).toBe(0)
    expect(await verify()).toMatchObject({ isWhole: true, waiting: { events: 0, first: null } })
  })

  it('is whole with 10 000 events more', async () => {
    await record(names(10_000))
    expect(await chainEvents(store.db)).toBe(10_000)
    expect(await verify()).toMatchObject({ isWhole: true, chains: [{ workspace: 'acme', events: 10_012 }] })
  })

  it('refuses to be changed while triggers are in force', async () => {
    for (const table of ['audit_event', 'audit_link']) {
      await expect(store.pool.query(`delete from ${table}`)).rejects.toThrow(`${table} is append-only`)
      await expect(store.pool.query(`truncate ${table}`)).rejects.toThrow(`${table} is append-only`)
    }
    await expect(store.pool.query(`update audit_link set position = 0`)).rejects.toThrow('is append-only')
  })
})

describe('a trail that somebody changed', () => {
  it.each([
    ['workspace_id', 'null'],
    ['at', `at + interval '1 microsecond'`],
    ['actor_kind', `'system'`],
    ['actor_id', 'null'],
    ['actor_name', `'Mallory'`],
    ['action', `'family.created'`],
    ['object_kind', `'token'`],
    ['object_id', `'x'`],
    ['object_name', 'null'],
    ['before', `'{}'`],
    ['after', `'null'`],
    ['request_id', `''`],
    ['address', `'192.0.2.8'`],
  ])('names the first event whose %s was changed', async (column, value) => {
    const [fifth, ninth] = [(await ids())[4], (await ids())[8]]
    await asSuperuser(`update audit_event set ${column} = ${value} where id in (${fifth}, ${ninth})`)
    const { isWhole, problems } = await verify()
    expect(isWhole).toBe(false)
    expect(problems).toEqual([
      expect.objectContaining({ problem: 'changed', workspace: 'acme', position: 5, event: fifth }),
    ])
  })

  it.each([
    ['first', 0],
    ['middle', 5],
    ['last', 11],
  ])('names the %s event when it is gone', async (_which, at) => {
    const gone = (await ids())[at]
    await asSuperuser(`delete from audit_event where id = ${gone}`)
    expect((await verify()).problems).toMatchObject([{ problem: 'missing', position: at + 1, event: gone }])
  })

  it.each([
    ['first', 0],
    ['middle', 5],
    ['last', 11],
  ])('names the place of the %s event when its link is gone too', async (_which, at) => {
    const gone = (await ids())[at]
    await asSuperuser(
      `delete from audit_event where id = ${gone}; delete from audit_link where event_id = ${gone}`,
    )
    expect((await verify()).problems).toMatchObject([{ problem: 'missing', position: at + 1 }])
  })

  it('names the first event that is gone before it was chained', async () => {
    await record(names(2, 12))
    const [gone, next] = (await ids()).slice(12)
    await asSuperuser(`delete from audit_event where id in (${gone}, ${next})`)
    expect((await verify()).problems).toMatchObject([
      { problem: 'missing', workspace: 'acme', position: null, event: gone },
    ])
    await chainEvents(store.db)
    expect((await verify()).isWhole).toBe(false)
  })

  it('names the first of two events that changed places', async () => {
    const [third, eighth] = [(await ids())[2] ?? 0, (await ids())[7] ?? 0]
    await asSuperuser(`
      update audit_event a set object_name = b.object_name, after = b.after
      from audit_event b where a.id in (${third}, ${eighth}) and b.id in (${third}, ${eighth}) and a.id <> b.id`)
    expect((await verify()).problems).toMatchObject([{ problem: 'changed', position: 3, event: third }])
  })

  it('names the first of two links that changed places', async () => {
    await asSuperuser(`
      update audit_link set position = 100 where position = 3;
      update audit_link set position = 3 where position = 8; update audit_link set position = 8 where position = 100`)
    expect((await verify()).problems).toMatchObject([{ problem: 'changed', position: 3 }])
  })

  it('names an event that was put between others', async () => {
    const before = await ids()
    const id = (before[5] ?? 0) * 1_000_000
    await asSuperuser(`
      insert into audit_event overriding system value
      select ${id}, workspace_id, at, actor_kind, actor_id, actor_name, action, object_kind, object_id, 'forged', before, after,
        request_id, address
      from audit_event where id = ${before[5]}`)
    await chainEvents(store.db)
    expect((await verify()).problems).toMatchObject([
      { problem: 'not_chained', workspace: 'acme', event: id },
    ])
  })

  it('is found out by what was kept elsewhere when the end was cut off, or all of it was chained again', async () => {
    const { chains } = await verify()
    const last = (await ids()).at(-1)
    await asSuperuser(`
      delete from audit_link where event_id = ${last}; delete from audit_event where id = ${last};
      update audit_chain c set position = l.position, hash = l.hash from audit_link l where l.position = 11`)
    expect((await verify()).isWhole).toBe(true)
    expect((await verify(chains)).problems).toMatchObject([{ problem: 'missing', position: 12 }])
    await asSuperuser(`
      insert into audit_due select chain, event_id from audit_link;
      delete from audit_link; delete from audit_chain; update audit_event set actor_name = 'Mallory'`)
    await record(['another'])
    await chainEvents(store.db)
    expect((await verify()).isWhole).toBe(true)
    expect((await verify(chains)).problems).toMatchObject([{ problem: 'changed', position: 12 }])
  })
})

describe('chaining while others write', () => {
  it('leaves out no event that commits after one with a higher id, and waits for nobody', async () => {
    await store.db.transaction().execute(async (early) => {
      await recordIn(early, ['began first, committed last'])
      await record(['began last, committed first'])
      expect(await chainEvents(store.db)).toBe(1)
    })
    expect(await chainEvents(store.db)).toBe(1)
    const { rows } = await sql<{ name: string }>`
      select e.object_name as name from audit_link l join audit_event e on e.id = l.event_id order by l.position`.execute(
      store.db,
    )
    expect(rows.slice(-2).map(({ name }) => name)).toEqual([
      'began last, committed first',
      'began first, committed last',
    ])
    expect((await verify()).isWhole).toBe(true)
  })

  it('keeps the chain whole with many writers and several that chain at once', async () => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let turn = 0; turn < 15; turn += 1) {
        await store.db
          .transaction()
          .execute(async (tx) => {
            await recordIn(tx, names(3, writer * 100))
            if (turn % 5 === 4) throw new Error('rolled back')
          })
          .catch((error: unknown) => {
            if (!(error instanceof Error && error.message === 'rolled back')) throw error
          })
      }
    })
    let isDone = false
    const chainer = async () => {
      while (!isDone) await chainEvents(store.db)
    }
    const chainers = [chainer(), chainer()]
    await Promise.all(writers)
    isDone = true
    await Promise.all(chainers)
    await chainEvents(store.db)
    const { isWhole, waiting, chains } = await verify()
    expect({ isWhole, waiting: waiting.events }).toEqual({ isWhole: true, waiting: 0 })
    expect(chains).toMatchObject([{ events: 12 + 8 * 12 * 3 }])
  })

  it('never waits for another that holds a chain, nor lets an act wait', async () => {
    await record(['to be chained'])
    await store.db.transaction().execute(async (tx) => {
      await sql`select from audit_chain for update`.execute(tx)
      expect(await chainEvents(store.db)).toBe(0)
      await record(['recorded meanwhile'])
    })
    expect(await chainEvents(store.db)).toBe(2)
    expect((await verify()).isWhole).toBe(true)
  })
})
