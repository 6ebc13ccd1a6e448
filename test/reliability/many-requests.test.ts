import pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { searchWorkspace } from '../../src/contract/inventory/operations.ts'
import { listFamilies } from '../../src/contract/products/operations.ts'
import { listIncidents } from '../../src/contract/incidents/operations.ts'
import { signOut } from '../../src/contract/people/operations/session.ts'
import { openDisclosureScene, type DisclosureScene } from '../disclosure/disclosure-scene.ts'

let scene: DisclosureScene
let holder: pg.Client
beforeAll(async () => {
  scene = await openDisclosureScene()
  holder = new pg.Client({ connectionString: scene.database.url })
  await holder.connect()
})
/** Waits until so many statements wait for the table. */
async function heldUp(count: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await holder.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
       where d.datname = current_database() and not l.granted`,
    )
    expect(rows).toHaveLength(count)
  }, 10_000)
}

afterAll(async () => {
  await holder.end()
  await scene.close()
})

it('of one member that take long leave the sessions of the database to others, and are answered in their turn', async () => {
  const viewer = await scene.signIn(scene.acme, 'viewer')
  const other = await scene.signIn(scene.umbrella, 'owner')
  await holder.query('begin; lock table incident')
  const asked = Array.from({ length: 30 }, () => viewer.ask(listIncidents))
  await sleep(500)
  const others = Promise.all([scene.get('/disclose/umbrella'), other.ask(listFamilies)])
  const first = await Promise.race([others, sleep(5_000, [{ status: 'nothing' }, { status: 'nothing' }])])
  await holder.query('commit')
  expect(first.map(({ status }) => status)).toEqual([200, 200])
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(30).fill(200))
})

it('of one member that wait for a search leave the places of that member to other requests', async () => {
  const viewer = await scene.signIn(scene.acme, 'viewer')
  await holder.query('begin; lock table incident')
  const asked = Array.from({ length: 6 }, () => viewer.ask(searchWorkspace, { query: { q: 'pump' } }))
  await heldUp(2)
  const other = await Promise.race([viewer.ask(listFamilies), sleep(3_000, { status: 'nothing' })])
  await holder.query('commit')
  expect(other.status).toBe(200)
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(Array(6).fill(200))
})

it('of one member that are too many to wait are refused at once', async () => {
  const viewer = await scene.signIn(scene.acme, 'viewer')
  await holder.query('begin; lock table incident')
  const asked = Array.from({ length: 280 }, async () => (await viewer.ask(listIncidents)).status)
  const refused = await Promise.race([...asked, sleep(15_000, 0)])
  await holder.query('commit')
  expect(refused).toBe(429)
  const answered = (await Promise.all(asked)).filter((status) => status === 200)
  // four were worked on, and 250 waited
  expect(answered.length).toBeGreaterThanOrEqual(254)
})

it('of one member that waited are asked again who sends them', async () => {
  const viewer = await scene.signIn(scene.acme, 'viewer')
  await holder.query('begin; lock table incident')
  const asked = Array.from({ length: 30 }, async () => (await viewer.ask(listIncidents)).status)
  await heldUp(4)
  const { status } = await viewer.ask(signOut)
  await holder.query('commit')
  expect(status).toBe(204)
  const answered = await Promise.all(asked)
  // those that were worked on when the session ended
  expect(answered.filter((each) => each === 200)).toHaveLength(4)
  expect(answered.filter((each) => each === 401)).toHaveLength(26)
})

it('of two members leave the first place that becomes free to a third, however many of theirs came before', async () => {
  const members = await Promise.all([
    scene.member(scene.acme, 'viewer'),
    scene.member(scene.acme, 'owner'),
    scene.signIn(scene.acme, 'owner'),
  ])
  const order: number[] = []
  await holder.query('begin; lock table incident')
  const asked: Promise<unknown>[] = []
  const askAs = async (who: number) => {
    await members[who]?.ask(listIncidents)
    order.push(who)
  }
  for (const [who, count] of [30, 30, 1].entries()) {
    asked.push(...Array.from({ length: count }, () => askAs(who)))
    await sleep(500)
  }
  await holder.query('commit')
  await Promise.all(asked)
  // six were worked on; answers may overtake each other, and in the order of asking it would be the last
  expect(order.indexOf(2)).toBeLessThan(30)
})

it('of one member that wait are refused once the membership has ended', async () => {
  const viewer = await scene.signIn(scene.umbrella, 'viewer')
  await holder.query('begin; lock table incident')
  const asked = Array.from({ length: 10 }, async () => (await viewer.ask(listIncidents)).status)
  await heldUp(4)
  await scene.database.db
    .deleteFrom('member')
    .where('person_id', '=', scene.umbrella.members.viewer.id)
    .execute()
  await holder.query('commit')
  const counts = Object.groupBy(await Promise.all(asked), String)
  expect([counts['200']?.length, counts['404']?.length]).toEqual([4, 6])
})

it('of a stranger for public pages leave the sessions of the database to others', async () => {
  const owner = await scene.signIn(scene.umbrella, 'owner')
  const from = (address: string) => ({ 'x-forwarded-for': address })
  await holder.query('begin; lock table disclosure_settings')
  const pages = ['', '/advisories', '/security.txt', '/advisories.atom', '/reports/x']
  const asked = Array.from({ length: 40 }, async (_, at) => {
    // the router decodes what is encoded without need
    const root = at % 2 === 0 ? '/disclose' : '/%64isclose'
    const path = `${root}/acme${pages[at % pages.length] ?? ''}`
    return (await scene.get(path, from(`2001:db8:1:${at.toString(16)}::1`))).status
  })
  const sent = Array.from({ length: 40 }, (_, at) =>
    scene.post('/disclose/acme', { fields: {}, headers: from(`2001:db8:1:${at.toString(16)}::1`) }),
  )
  await sleep(500)
  const others = Promise.all([owner.ask(listFamilies), scene.get('/badges/x.svg', from('192.0.2.1'))])
  const first = await Promise.race([others, sleep(5_000, [{ status: 'nothing' }, { status: 'nothing' }])])
  await holder.query('commit')
  expect(first.map(({ status }) => status)).toEqual([200, 404])
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200, 404]))
  expect(new Set((await Promise.all(sent)).map(({ status }) => status))).toEqual(new Set([422]))
})
