import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { signIn } from '../../src/contract/people/operations/session.ts'
import { endWindows } from '../../src/people/sign-in-window.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type Answer, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { later, testNow } from '../support/clock.ts'

let store: TestDatabase
let first: TestHttp
let second: TestHttp
let acme: TestWorkspace
let now = testNow

beforeAll(async () => {
  store = await createTestDatabase()
  const options = { database: store, now: () => now }
  first = await startTestHttp({ ...options, trustProxy: 1 })
  second = await startTestHttp({ ...options, trustProxy: ['127.0.0.1', '10.0.0.0/8'] })
  ;[acme] = await createScene(store.db)
})
afterAll(async () => {
  await first.stop()
  await second.stop()
  await store.drop()
})
beforeEach(async () => {
  now = testNow
  await store.db.deleteFrom('sign_in_window').execute()
})

type Guess = { email?: string; password?: string; from?: string; on?: TestHttp }

function guess({ email, password = 'wrong password!', from, on = first }: Guess = {}): Promise<Answer> {
  return new AppSession(on.url).ask(signIn, {
    body: { email: email ?? acme.members.owner.email, password },
    headers: from === undefined ? {} : { 'x-forwarded-for': from },
  })
}

async function tally(answers: Promise<Answer>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

describe('guessing passwords', () => {
  it('judges ten of two hundred that arrive together at two processes', async () => {
    const answers = Array.from({ length: 200 }, (_, index) => guess({ on: index % 2 === 0 ? first : second }))
    expect(await tally(answers)).toEqual({ 401: 10, 429: 190 })
    const refused = await guess({ password: acme.members.owner.password })
    expect(refused).toMatchObject({
      status: 429,
      headers: { 'retry-after': '900' },
      body: { error: 'rate_limited', message: 'Too many failed sign-ins. Try again later.' },
    })
    now = later(15)
    expect((await guess({ password: acme.members.owner.password })).status).toBe(200)
  })

  it('counts one address for every e-mail together, and IPv6 by its first 64 bits', async () => {
    const tries = (from: (index: number) => string) =>
      Array.from({ length: 60 }, (_, index) =>
        guess({ email: `person${index}@acme.example`, from: from(index) }),
      )
    expect(await tally(tries(() => '192.0.2.7'))).toEqual({ 401: 50, 429: 10 })
    expect((await guess({ from: '192.0.2.8' })).status).toBe(401)
    expect((await guess({ from: '::ffff:192.0.2.7' })).status).toBe(429)
    expect(await tally(tries((index) => `2001:db8:1:2::${index.toString(16)}`))).toEqual({ 401: 50, 429: 10 })
    expect((await guess({ from: '2001:db8:1:3::1' })).status).toBe(401)
  })

  it('counts the networks of one site of IPv6 (48 bits) together, ten times as many', async () => {
    // people of the scene: a password of nobody is judged at the full cost of one, some hundred times
    await store.pool.query(
      `insert into person (id, email, name, password_hash, created_at)
        select gen_random_uuid(), 'member' || network || '-' || place || '@acme.example', 'One of many', o.password_hash, o.created_at
        from person o, generate_series(0, 11) as network, generate_series(0, 45) as place
        where o.id = $1`,
      [acme.members.owner.id],
    )
    const counts: Record<number, number> = {}
    for (let network = 0; network < 12; network += 1) {
      const from = `2001:db8:7:${network.toString(16)}::1`
      const tries = Array.from({ length: 46 }, (_, index) =>
        guess({ email: `member${network}-${index}@acme.example`, from }),
      )
      for (const [status, count] of Object.entries(await tally(tries)))
        counts[Number(status)] = (counts[Number(status)] ?? 0) + count
    }
    expect(counts).toEqual({ 401: 500, 429: 52 })
    expect((await guess({ from: '2001:db8:7:ffff::1' })).status).toBe(429)
    expect((await guess({ from: '2001:db8:8::1' })).status).toBe(401)
  })

  it('counts one e-mail, however it is written, for all addresses together', async () => {
    const spellings = [acme.members.owner.email, acme.members.owner.email.toUpperCase()]
    const tries = Array.from({ length: 60 }, (_, index) =>
      guess({ email: spellings[index % 2] ?? '', from: `198.51.100.${index}` }),
    )
    expect(await tally(tries)).toEqual({ 401: 50, 429: 10 })
  })

  it('does not let what is refused from one address use up the attempts from others', async () => {
    await tally(Array.from({ length: 100 }, () => guess({ from: '192.0.2.7' })))
    const { password } = acme.members.owner
    expect((await guess({ password, from: '192.0.2.7' })).status).toBe(429)
    expect((await guess({ password, from: '192.0.2.8' })).status).toBe(200)
  })

  it('from many addresses at once leaves others their turn', async () => {
    const flood = Array.from({ length: 8 }, (_, place) =>
      Array.from({ length: 45 }, (_, index) =>
        guess({ email: `person${place}-${index}@acme.example`, from: `203.0.113.${place}` }),
      ),
    ).flat()
    const { email, password } = acme.members.viewer
    const person = guess({ email, password, from: '192.0.2.50' })
    expect((await person).status).toBe(200)
    const answers = await tally(flood)
    expect(answers[429]).toBeGreaterThan(100)
  })

  it('does not count sign-ins with the right password', async () => {
    const { password } = acme.members.owner
    for (let round = 0; round < 8; round += 1) {
      expect(await tally(Array.from({ length: 8 }, () => guess({ password })))).toEqual({ 200: 8 })
    }
    const { rows } = await store.pool.query('select sum(attempts)::int as attempts from sign_in_window')
    expect(rows).toEqual([{ attempts: 0 }])
  })

  it('answers known and unknown e-mails alike, and says as much about the wait', async () => {
    const answers = async (email: string) => {
      const seen = []
      for (let round = 0; round < 11; round += 1) {
        const { status, body, headers } = await guess({ email, from: '203.0.113.9' })
        seen.push({ status, body, wait: headers['retry-after'] })
      }
      return seen
    }
    expect(await answers('nobody@acme.example')).toEqual(await answers(acme.members.viewer.email))
  })

  it('judges by the newest window alone when the clock was set back', async () => {
    await tally(Array.from({ length: 20 }, () => guess()))
    now = later(-60)
    expect((await guess({ password: acme.members.owner.password })).status).toBe(200)
  })
})

describe('where a request comes from', () => {
  const addressOf = async (headers: Record<string, string>, on: TestHttp) => {
    const { email, password } = acme.members.viewer
    await new AppSession(on.url).call(signIn, { body: { email, password }, headers })
    const { address } = await store.db
      .selectFrom('audit_event')
      .select('address')
      .where('action', '=', 'person.signed_in')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    return address
  }

  it.each([
    ['what the one proxy saw', '198.51.100.9, 192.0.2.7', '192.0.2.7'],
    ['an IPv4 address that was mapped', '::ffff:192.0.2.7', '192.0.2.7'],
    ['an address with a port', '192.0.2.7:5102', '192.0.2.7'],
    ['the connection when the proxy names no address', 'a made-up name', '127.0.0.1'],
    ['the connection when the proxy names nothing', '', '127.0.0.1'],
  ])('is %s', async (_rule, forwarded, address) => {
    expect(await addressOf({ 'x-forwarded-for': forwarded }, first)).toBe(address)
  })

  it('is the first address that is not a trusted proxy', async () => {
    const chain = '198.51.100.9, 192.0.2.7, 10.1.2.3'
    expect(await addressOf({ 'x-forwarded-for': chain }, second)).toBe('192.0.2.7')
  })

  it('is the connection when no proxy is trusted', async () => {
    const alone = await startTestHttp({ database: store, now: () => now })
    expect(await addressOf({ 'x-forwarded-for': '192.0.2.7' }, alone)).toBe('127.0.0.1')
    await alone.stop()
  })
})

describe('the audit trail', () => {
  const failures = () =>
    store.db
      .selectFrom('audit_event')
      .select(['object_id', 'object_name', 'after', 'address'])
      .where('action', '=', 'person.sign_in_failed')
      .where('at', '>', later(1000))
      .orderBy('id')
      .execute()

  it('has the first failure of an account and one count for its window, and nothing about unknown e-mails', async () => {
    now = later(2000)
    await tally(Array.from({ length: 40 }, (_, index) => guess({ from: `198.51.100.${index % 20}` })))
    await tally(Array.from({ length: 9 }, (_, index) => guess({ email: `nobody${index}@acme.example` })))
    const { id } = acme.members.owner
    const event = { object_id: id, object_name: 'owner of acme' }
    expect(await failures()).toMatchObject([{ ...event, after: { failures: 1 } }])
    now = later(2016)
    await Promise.all([endWindows(store.db, now), endWindows(store.db, now), guess({ email: 'no@one' })])
    expect(await failures()).toMatchObject([
      { ...event, after: { failures: 1 } },
      { ...event, address: null, after: { failures: 40, from: later(2000).toISOString() } },
    ])
    await guess()
    expect(await failures()).toHaveLength(3)
  })

  it('cannot be changed or emptied', async () => {
    await expect(store.pool.query('truncate audit_event')).rejects.toThrow('audit_event is append-only')
    await expect(store.pool.query('truncate workspace cascade')).rejects.toThrow('audit_event is append-only')
    await expect(store.pool.query('delete from audit_event')).rejects.toThrow('audit_event is append-only')
  })
})
