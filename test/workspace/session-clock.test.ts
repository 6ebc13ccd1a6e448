import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSession, selectSignedInPerson } from '../../src/people/sessions.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createScene } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'

const day = 24 * 3600 * 1000
const after = (days: number) => new Date(testNow.getTime() + days * day)

let store: TestDatabase
beforeAll(async () => {
  store = await createTestDatabase()
})
afterAll(() => store.drop())

it('a session opened before the clock was set back ends as one opened now does', async () => {
  const [acme] = await createScene(store.db)
  const { secret } = await openSession(store.db, {
    personId: acme.members.owner.id,
    address: '127.0.0.1',
    now: after(300),
  })
  expect(await selectSignedInPerson(store.db, secret, after(0))).toBeDefined()
  const session = await store.db
    .selectFrom('session')
    .select(['last_seen_at', 'expires_at'])
    .executeTakeFirstOrThrow()
  expect(session).toEqual({ last_seen_at: after(0), expires_at: after(30) })
  expect(await selectSignedInPerson(store.db, secret, after(8))).toBeUndefined()
})
