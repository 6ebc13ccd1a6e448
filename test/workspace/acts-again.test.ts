import { hash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addComment } from '../../src/contract/incidents/act-operations.ts'
import { openIncident } from '../../src/contract/incidents/operations.ts'
import { removeMember } from '../../src/contract/people/operations/members.ts'
import { createFamily, listFamilies } from '../../src/contract/products/operations.ts'
import { createToken } from '../../src/contract/tokens/operations.ts'
import { removeOver } from '../../src/queue/schedule/retention.ts'
import { workspaceRetention } from '../../src/workspace/retention.ts'
import type { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { testSealing } from '../support/http.ts'
import { untilWaiting } from '../support/until-waiting.ts'
import { openPeopleScene, password, type PeopleScene } from '../people/people-scene.ts'

/** An act whose answer was lost is sent again under its key: it is answered alike, and not done again. */

let scene: PeopleScene
let owner: AppSession

beforeAll(async () => {
  scene = await openPeopleScene()
  owner = await scene.signIn('owner')
})
afterAll(() => scene.close())

const keyed = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': `"${key}"` } })
const family = (name: string, of = keyed()) => ({ body: { name }, ...of })

async function familiesNamed(name: string): Promise<number> {
  const families = scene.database.db.selectFrom('family').select('id').where('name', '=', name)
  return (await families.execute()).length
}

it('a comment is there once', async () => {
  const opening = { kind: 'severe_incident' as const, title: 'Stolen key', families: [] }
  const { id: incident } = await owner.call(openIncident, { body: opening })
  const comment = { params: { incident }, body: { text: 'Seen twice?' }, ...keyed() }
  await owner.call(addComment, comment)
  await owner.call(addComment, comment)
  const { db } = scene.database
  const entries = db.selectFrom('incident_entry').select('id').where('kind', '=', 'commented')
  expect(await entries.execute()).toHaveLength(1)
  await owner.call(addComment, { ...comment, ...keyed() })
  expect(await entries.execute()).toHaveLength(2)
})

it('what was created is answered again', async () => {
  const pump = family('Pump again')
  const first = await owner.ask(createFamily, pump)
  const second = await owner.ask(createFamily, pump)
  expect(second).toMatchObject({ status: 201, body: first.body })
})

it('two at the same moment are one', async () => {
  const pump = family('Pump at once')
  const holder = await scene.database.pool.connect()
  try {
    await holder.query('begin; lock table audit_event in share mode')
    const both = [owner.ask(createFamily, pump), owner.ask(createFamily, pump)]
    await untilWaiting(scene.database, 2)
    await holder.query('rollback')
    const [one, other] = await Promise.all(both)
    expect([one?.status, other?.status]).toEqual([201, 201])
    expect(one?.body).toEqual(other?.body)
  } finally {
    holder.release()
  }
  expect(await familiesNamed('Pump at once')).toBe(1)
})

it('one that comes before the answer is kept waits for it', async () => {
  const { pool } = scene.database
  await pool.query(`create function wait() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock(7); return new; end $$;
    create trigger wait before update on act_key for each row execute function wait()`)
  const holder = await pool.connect()
  try {
    // in a transaction: a pooler may lend the session to others after it
    await holder.query('begin')
    await holder.query('select pg_advisory_xact_lock(7)')
    const pump = family('Pump before its answer')
    const first = owner.ask(createFamily, pump)
    await untilWaiting(scene.database)
    const second = owner.ask(createFamily, pump)
    await owner.ask(listFamilies)
    await holder.query('rollback')
    expect(await second).toMatchObject({ status: 201, body: (await first).body })
  } finally {
    holder.release()
    await pool.query('drop function wait() cascade')
  }
})

it('a key belongs to one act of one person in one workspace', async () => {
  const key = keyed()
  await owner.call(createFamily, family('Pump of acme', key))
  expect(await owner.refused(createFamily, family('Another pump', key))).toMatchObject({ status: 400 })
  const [admin, elsewhere] = [await scene.signIn('admin'), await scene.signIn('owner', 'umbrella')]
  expect(await admin.refused(createFamily, family('Pump of acme', key))).toMatchObject({
    body: { fields: { name: expect.anything() as unknown } },
  })
  await elsewhere.call(createFamily, family('Pump of acme', key))
  expect(await familiesNamed('Pump of acme')).toBe(2)
})

it('what was refused is judged again', async () => {
  const key = keyed()
  await owner.call(createFamily, family('Pump taken'))
  expect(await owner.refused(createFamily, family('Pump taken', key))).toMatchObject({ status: 400 })
  await scene.database.db
    .updateTable('family')
    .set({ name: 'Freed' })
    .where('name', '=', 'Pump taken')
    .execute()
  await owner.call(createFamily, family('Pump taken', key))
})

it('a secret is neither shown again nor kept, and there is one token', async () => {
  const body = { name: 'once', kind: 'workspace' as const, familyId: null, expiresInDays: null }
  const token = { body, ...keyed() }
  const { secret } = await owner.call(createToken, token)
  const again = await owner.refused(createToken, token)
  expect(again).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('done already') as string },
  })
  const { db } = scene.database
  expect(await db.selectFrom('token').select('id').where('name', '=', 'once').execute()).toHaveLength(1)
  const kept = await db.selectFrom('act_key').selectAll().execute()
  expect(JSON.stringify(kept)).not.toContain(secret)
})

it('an act whose answer cannot be kept is done once', async () => {
  const { pool } = scene.database
  await pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
    create trigger refuse before update on act_key execute function refuse()`)
  try {
    const pump = family('Pump not kept')
    expect(await owner.ask(createFamily, pump)).toMatchObject({ status: 201 })
    expect(await owner.ask(createFamily, pump)).toMatchObject({ status: 409 })
  } finally {
    await pool.query('drop function refuse() cascade')
  }
  expect(await familiesNamed('Pump not kept')).toBe(1)
})

it('an act that has only proven who acts is not done', async () => {
  const person = await scene.idOf('lead')
  const members = scene.database.db.updateTable('member').where('person_id', '=', person)
  await members.set({ role: 'owner' }).execute()
  const removal = { params: { person }, body: { password }, ...keyed() }
  const holder = await scene.database.pool.connect()
  try {
    await holder.query('begin; lock table audit_event in share mode')
    const first = owner.ask(removeMember, removal)
    await untilWaiting(scene.database)
    const again = owner.ask(removeMember, removal)
    const earlier = await Promise.race([untilWaiting(scene.database, 2), again])
    expect(earlier).toBeUndefined()
    await holder.query('rollback')
    expect([(await first).status, (await again).status]).toEqual([204, 204])
  } finally {
    holder.release()
  }
})

it('a password cannot be guessed from what is kept of an act', async () => {
  const person = await scene.idOf('editor')
  const { key, ...act } = { key: randomUUID(), params: { person }, body: { password } }
  await owner.call(removeMember, { ...act, ...keyed(key) })
  const address = `/api/app/workspaces/acme/members/${person}/remove`
  const guess = hash('sha256', JSON.stringify([address, act.body]), 'hex')
  const kept = await scene.database.db.selectFrom('act_key').select(['key', 'act']).execute()
  expect(kept.length).toBeGreaterThan(0)
  expect(kept.map((one) => one.act.toString('hex'))).not.toContain(guess)
  expect(kept.map((one) => one.key)).not.toContain(key)
})

it.each([
  'short',
  '"short"',
  '01890a5d-ac96-774b-bcce-b302099a8057',
  `"${'x'.repeat(65)}"`,
  '"with a space, and more"',
])('the key %s is refused', async (key) => {
  const refused = await owner.refused(createFamily, {
    body: { name: 'Pump without key' },
    headers: { 'idempotency-key': key },
  })
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
})

it('keys are kept for a day', async () => {
  const { db } = scene.database
  const [rule] = workspaceRetention.filter(({ what }) => what.startsWith('keys of acts'))
  if (rule === undefined) throw new Error('no rule')
  await owner.call(createFamily, family('Pump of yesterday'))
  const removal = (hours: number) => ({
    now: new Date(testNow.getTime() + hours * 3_600_000),
    sealing: testSealing,
  })
  expect(await removeOver(db, rule, removal(23))).toBe(0)
  expect(await removeOver(db, rule, removal(24))).toBeGreaterThan(0)
  expect(await db.selectFrom('act_key').selectAll().execute()).toEqual([])
})
