import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bucketOf, lockPackages } from '../../src/matching/locks.ts'
import { matchIdentities } from '../../src/matching/match-identities.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { resultsOf, semver } from './match-results.ts'
import { addRecord } from '../support/records.ts'
import { addIdentity, maven, npm } from '../support/parts.ts'
import { later, testNow } from '../support/clock.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

describe('a run', () => {
  it('says what changed, and nothing the second time', async () => {
    await addRecord(database.db, { id: 'R-RUN', ...semver('run', [['0', null]]) })
    const ids = [
      await addIdentity(database.db, npm('run', '1.0.0')),
      await addIdentity(database.db, npm('run', '2.0.0')),
    ]
    const first = await matchIdentities(database.db, ids, { now: testNow })
    expect(first).toMatchObject({ added: 2, removed: 0, changed: 0 })
    expect(first.sample).toHaveLength(2)
    const second = await matchIdentities(database.db, ids, { now: later(1) })
    expect(second).toEqual({ added: 0, removed: 0, changed: 0, sample: [] })
    const times = await database.db
      .selectFrom('identity_match')
      .select('matched_at')
      .where('identity_id', 'in', ids)
      .execute()
    expect(times.map((row) => row.matched_at)).toEqual([testNow, testNow])
  })

  it('marks every identity as matched, those without results too', async () => {
    const id = await addIdentity(database.db, npm('clean', '1.0.0'))
    await matchIdentities(database.db, [id], { now: later(2) })
    const { matched_at } = await database.db
      .selectFrom('component_identity')
      .select('matched_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(matched_at).toEqual(later(2))
  })

  it('of many identities at once does each of them', async () => {
    await addRecord(database.db, { id: 'R-MANY', ...semver('many', [['1.0.0', '2.0.0']]) })
    const ids = await Promise.all(
      Array.from({ length: 40 }, (_, minor) =>
        addIdentity(database.db, npm('many', `${minor % 4}.${minor}.0`)),
      ),
    )
    const progress: number[] = []
    const { added } = await matchIdentities(database.db, ids, {
      now: testNow,
      onProgress: (done) => progress.push(done),
    })
    expect(added).toBe(10)
    expect(progress.at(-1)).toBe(40)
  })

  it('two runs on the same packages at once do not disturb each other', async () => {
    await addRecord(database.db, { id: 'R-RACE', ...semver('race', [['0', null]]) })
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, patch) => addIdentity(database.db, npm('race', `1.0.${patch}`))),
    )
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => matchIdentities(database.db, ids, { now: testNow })),
    )
    expect(runs.reduce((sum, run) => sum + run.added, 0)).toBe(20)
  })

  it('that waits for another one works with what was stored meanwhile', async () => {
    await addRecord(database.db, { id: 'R-WAIT', ...semver('wait', [['0', '1.0.0']]) })
    const id = await addIdentity(database.db, npm('wait', '1.5.0'))
    const run = await database.db.transaction().execute(async (older) => {
      await lockPackages(older, [await bucketOfIdentity(id)])
      const waiting = matchIdentities(database.db, [id], { now: testNow })
      await untilSomebodyWaits()
      await addRecord(database.db, { id: 'R-WAIT', ...semver('wait', [['0', '2.0.0']]) })
      expect(await resultsOf(database.db, id)).toEqual([])
      return { waiting }
    })
    await run.waiting
    expect(await resultsOf(database.db, id)).toEqual(['R-WAIT exact'])
  })

  it.each([
    ['with keys', npm('covered', '1.5.0')],
    ['with a comparator', maven('g:covered', '1.5.0')],
  ])('that waits while its ecosystem is covered compares %s', async (_, part) => {
    const { ecosystem, name, scheme } = part
    if (ecosystem === null || scheme === null) throw new Error('the part is of an ecosystem')
    const ranges: [string, string | null][] = [['0', '2.0.0']]
    await addRecord(database.db, { id: `R-${scheme}`, affected: [{ ecosystem, name, scheme, ranges }] })
    const id = await addIdentity(database.db, { ...part, decidability: 'not_covered' })
    const run = await database.db.transaction().execute(async (older) => {
      await lockPackages(older, [await bucketOfIdentity(id)])
      const waiting = matchIdentities(database.db, [id], { now: testNow })
      await untilSomebodyWaits()
      await older
        .updateTable('component_identity')
        .set({ decidability: 'covered' })
        .where('id', '=', id)
        .execute()
      return { waiting }
    })
    await run.waiting
    expect(await resultsOf(database.db, id)).toEqual([`R-${scheme} exact`])
  })
})

async function bucketOfIdentity(id: string): Promise<number> {
  const { bucket } = await database.db
    .selectFrom('component_identity')
    .select(bucketOf('package_key').as('bucket'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return bucket
}

async function untilSomebodyWaits(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*) as waiting from pg_locks
        where locktype = 'advisory' and not granted
          and database = (select oid from pg_database where datname = current_database())`.execute(
        database.db,
      )
      return rows[0]?.waiting
    })
    .toBe(1)
}
