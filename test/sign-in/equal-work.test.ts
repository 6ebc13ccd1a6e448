import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword, nobodysHash } from '../../src/people/password.ts'
import { PasswordSemaphore } from '../../src/people/password-semaphore.ts'
import { signIn } from '../../src/people/sign-in.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createScene } from '../support/scene.ts'

// `npm run assure -- 24` measures how long both take

/** Counts password checks. */
class CountedTurns extends PasswordSemaphore {
  taken = 0

  override take<T>(address: string, work: () => Promise<T>): Promise<T> {
    this.taken += 1
    return super.take(address, work)
  }
}

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await createScene(database.db)
})
afterAll(() => database.drop())

it.each(['owner@acme.example', 'nobody@nowhere.example'])(
  'judges one password for %s, and says that one of both is wrong',
  async (email) => {
    const passwords = new CountedTurns()
    const attempt = {
      email,
      address: '192.0.2.1',
      requestId: randomUUID(),
      now: testNow,
      replacedSecret: undefined,
    }
    const asked = signIn({ db: database.db, passwords }, { ...attempt, password: 'not the right password' })
    await expect(asked).rejects.toMatchObject({ code: 'signed_out' })
    expect(passwords.taken).toBe(1)
  },
)

it('judges a password of nobody at the cost of one of somebody', async () => {
  // the algorithm, its version and its cost
  const costOf = (hash: string) => hash.split('$').slice(1, 4)
  expect(costOf(nobodysHash)).toEqual(costOf(await hashPassword('a long enough password')))
})
