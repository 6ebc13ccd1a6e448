import { beforeEach, describe, expect, it } from 'vitest'
import { countDays } from '../../src/metrics/days/family-days.ts'
import { runRetention } from '../../src/worker/retention.ts'
import { purgeFamilyDays } from '../../src/metrics/purge-family.ts'
import { describeMetrics } from '../../src/metrics/reads/describe-metrics.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { testSealing } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { npm } from '../support/parts.ts'
import { addCoverage, addSbom, type Family } from '../support/rows.ts'
import { addHistory, day } from './history-scene.ts'

let database: TestDatabase
let acme: TestWorkspace
let umbrella: TestWorkspace
let family: Family

beforeEach(async () => {
  database = await createTestDatabase()
  ;[acme, umbrella] = await createScene(database.db)
  family = { workspaceId: acme.id, familyId: acme.families[0]?.id ?? '' }
  return () => database.drop()
})

async function zone(slug: string, timeZone: string): Promise<void> {
  await database.db.updateTable('workspace').set({ time_zone: timeZone }).where('slug', '=', slug).execute()
}

/** Days on which the workspace's families were counted. */
async function countedOf({ id }: TestWorkspace): Promise<string[]> {
  const rows = await database.db
    .selectFrom('family_day')
    .select(({ fn }) => ['day', fn.countAll<number>().as('families')])
    .where('workspace_id', '=', id)
    .groupBy('day')
    .orderBy('day')
    .execute()
  return rows.map((row) => `${row.day} ${row.families}`)
}

describe('the families of a workspace', () => {
  it('are counted once on each day of its zone, however many processes count', async () => {
    await zone('umbrella', 'Pacific/Auckland')
    const { db } = database
    await Promise.all([1, 2, 3].map(() => countDays(db, day(10, 9))))
    await countDays(db, day(10, 10))
    expect(await countedOf(acme)).toEqual(['2026-01-10 2'])
    expect(await countedOf(umbrella)).toEqual(['2026-01-10 2'])
    // 13 hours ahead: the next day has started there
    await countDays(db, day(10, 11))
    expect(await countedOf(acme)).toEqual(['2026-01-10 2'])
    expect(await countedOf(umbrella)).toEqual(['2026-01-10 2', '2026-01-11 2'])
    // no process ran on the 11th
    await countDays(db, day(12))
    expect(await countedOf(acme)).toEqual(['2026-01-10 2', '2026-01-12 2'])
  })

  it.each([
    ['free', null],
    ['trial', day(9)],
  ] as const)('are not counted while monitoring is paused (%s)', async (plan, trialEndsAt) => {
    const { db } = database
    await db
      .updateTable('workspace')
      .set({ plan, trial_ends_at: trialEndsAt })
      .where('id', '=', acme.id)
      .execute()
    await db
      .updateTable('workspace')
      .set({ closed_at: day(9) })
      .where('id', '=', umbrella.id)
      .execute()
    await countDays(db, day(10))
    expect(await countedOf(acme)).toEqual([])
    expect(await countedOf(umbrella)).toEqual([])
    // a workspace resumed during the day is counted from the next day on
    await db.updateTable('workspace').set({ plan: 'core' }).where('id', '=', acme.id).execute()
    await countDays(db, day(10, 20))
    expect(await countedOf(acme)).toEqual([])
    await countDays(db, day(11))
    expect(await countedOf(acme)).toEqual(['2026-01-11 2'])
  })

  it('in use are counted, as they are then: what is exploited and open, and what is covered', async () => {
    const { db } = database
    await addHistory(db, family, { seen: day(1), exploitedBy: ['kev'] })
    await addHistory(db, family, { seen: day(1), exploitedBy: ['kev', 'euvd'] })
    await addHistory(db, family, { seen: day(1), exploitedBy: ['euvd'], closed: day(2) })
    const verdict = { is: 'not_affected', since: day(2) } as const
    await addHistory(db, family, { seen: day(1), exploitedBy: ['euvd'], verdict })
    await addHistory(db, family, { seen: day(1) })
    const sbomId = await addSbom(db, family, { parts: [npm('a', '1.0.0'), npm('b', '1.0.0')], now: day(1) })
    await addCoverage(db, { workspaceId: acme.id, sbomId }, [
      { decidability: 'covered', ecosystem: 'npm', components: 4 },
      { decidability: 'covered', ecosystem: 'PyPI', components: 2 },
      { decidability: 'no_version', ecosystem: 'npm', components: 1 },
    ])
    await db
      .insertInto('data_source')
      .values([
        { name: 'osv:npm', is_whole: true, last_success_at: day(1), record_count: 1 },
        { name: 'osv:PyPI', is_whole: false, last_success_at: day(1), record_count: 1 },
      ])
      .execute()
    await countDays(db, day(10))
    await addHistory(db, family, { seen: day(10), exploitedBy: ['kev'] })
    const metrics = await describeMetrics(
      db,
      { workspaceId: acme.id, familyId: null, days: 30, timeZone: 'UTC' },
      day(11),
    )
    expect(metrics.countedSince).toBe('2026-01-10')
    expect(metrics.counted).toEqual([
      { day: '2026-01-10', kev: 2, euvd: 1, exploited: 2, covered: 4, components: 7 },
      { day: '2026-01-11', kev: 3, euvd: 1, exploited: 3, covered: 4, components: 7 },
    ])
  })

  it('that are archived are not counted', async () => {
    await database.db
      .updateTable('family')
      .set({ archived_at: day(9) })
      .where('id', '=', family.familyId)
      .execute()
    await countDays(database.db, day(10))
    expect(await countedOf(acme)).toEqual(['2026-01-10 1'])
  })
})

it('counts go with their family, and after eight hundred days', async () => {
  const { db } = database
  await countDays(db, day(10))
  await purgeFamilyDays(db, family.workspaceId, family.familyId)
  expect(await countedOf(acme)).toEqual(['2026-01-10 1'])
  const after = (days: number) => new Date(day(10).getTime() + days * 86_400_000)
  await runRetention(db, { now: new Date(after(800).getTime() - 1), sealing: testSealing })
  expect(await countedOf(acme)).toEqual(['2026-01-10 1'])
  await runRetention(db, { now: after(800), sealing: testSealing })
  expect(await countedOf(acme)).toEqual([])
  expect(await countedOf(umbrella)).toEqual([])
})
