import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayMs } from '../../src/contract/durations.ts'
import { tellOfExpiry } from '../../src/notices/expiry.ts'
import { createToken } from '../../src/products/tokens/create-token.ts'
import { revokeToken } from '../../src/products/tokens/revoke-token.ts'
import { setPlan } from '../../src/workspace/workspaces.ts'
import { testNow } from '../support/clock.ts'
import { createNoticeScene, type NoticeScene } from './notice-scene.ts'
import { tester } from '../support/actors.ts'

let scene: NoticeScene

beforeAll(async () => {
  scene = await createNoticeScene()
})
afterAll(() => scene.drop())
beforeEach(async () => {
  for (const table of ['job', 'mail', 'bell_entry', 'expiry_notice'] as const) {
    await scene.database.db.deleteFrom(table).execute()
  }
  scene.now = testNow
})

describe('expiry notices', () => {
  const days = (count: number) => new Date(testNow.getTime() + count * 24 * 3_600_000)
  const tick = async () => {
    // several schedulers at once, and again after a restart
    await Promise.all([1, 2, 3, 4].map(() => tellOfExpiry(scene.database.db, scene.now)))
    await tellOfExpiry(scene.database.db, scene.now)
    await scene.settle()
  }

  it('come 14 and 3 days before a token ends, once each, to admins and to whoever made it', async () => {
    const { db } = scene.database
    const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
    const { id } = await createToken(db, {
      workspaceId: scene.workspaceId,
      kind: 'upload',
      familyId: family.id,
      name: 'nightly',
      expiresAt: days(30),
      actor: { kind: 'person', id: scene.people.lead, name: 'lead' },
      now: testNow,
    })
    const counts: number[] = []
    for (const day of [15, 16.1, 20, 26.9, 27.1, 29, 31]) {
      scene.now = days(day)
      await tick()
      counts.push((await scene.mailed('token.expiring')).length)
    }
    expect(counts).toEqual([0, 3, 3, 3, 6, 6, 6])
    expect([...new Set(await scene.mailed('token.expiring'))]).toEqual([
      'admin kept',
      'lead kept',
      'owner kept',
    ])
    await revokeToken(db, { workspaceId: scene.workspaceId, tokenId: id, actor: tester, now: scene.now })
  })

  it('of a time that nobody scheduled come once, and what is shorter than a threshold is not told of it', async () => {
    const { db } = scene.database
    const make = (name: string, end: Date, now: Date) =>
      createToken(db, {
        workspaceId: scene.workspaceId,
        kind: 'workspace',
        familyId: null,
        name,
        expiresAt: end,
        actor: tester,
        now,
      })
    const slept = await make('slept', days(30), testNow)
    scene.now = days(28)
    const short = await make('short', days(30), scene.now)
    await tick()
    expect(await scene.mailed('token.expiring')).toEqual(['admin kept', 'owner kept'])
    for (const { id } of [slept, short])
      await revokeToken(db, { workspaceId: scene.workspaceId, tokenId: id, actor: tester, now: scene.now })
  })

  it('come of a trial and of a subscription, and again when it has been extended', async () => {
    const { db } = scene.database
    await db
      .updateTable('workspace')
      .set({ plan: 'trial', trial_ends_at: days(30) })
      .execute()
    scene.now = days(17)
    await tick()
    expect(await scene.mailed('plan.ending')).toEqual(['admin kept', 'owner kept'])
    await db
      .updateTable('workspace')
      .set({ plan: 'core', trial_ends_at: null, paid_until: days(19) })
      .execute()
    await tick()
    await db
      .updateTable('workspace')
      .set({ paid_until: days(400) })
      .execute()
    await tick()
    expect(await scene.mailed('plan.ending')).toHaveLength(4)
    scene.now = days(398)
    await tick()
    expect(await scene.mailed('plan.ending')).toHaveLength(6)
    await db.updateTable('workspace').set({ plan: 'core', paid_until: null }).execute()
  })
})

/** Things that end 30 days after the test clock, each with its notice and recipients. */
const endings = [
  {
    what: 'a token',
    told: 'token.expiring',
    to: ['admin', 'lead', 'owner'],
    begin: async (endsAt: Date) => {
      const { db } = scene.database
      const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
      await createToken(db, {
        workspaceId: scene.workspaceId,
        kind: 'upload',
        familyId: family.id,
        name: 'nightly',
        expiresAt: endsAt,
        actor: { kind: 'person', id: scene.people.lead, name: 'lead' },
        now: testNow,
      })
    },
    end: async () => {
      const { db } = scene.database
      const tokens = await db
        .selectFrom('token')
        .select('id')
        .where('expires_at', 'is not', null)
        .where('revoked_at', 'is', null)
        .execute()
      for (const { id } of tokens)
        await revokeToken(db, { workspaceId: scene.workspaceId, tokenId: id, actor: tester, now: scene.now })
    },
  },
  {
    what: 'a trial',
    told: 'plan.ending',
    to: ['admin', 'owner'],
    begin: (endsAt: Date) => plan('trial', endsAt),
    // a subscription that renews automatically
    end: () => plan('core'),
  },
  {
    what: 'a subscription',
    told: 'plan.ending',
    to: ['admin', 'owner'],
    begin: (endsAt: Date) => plan('core', endsAt),
    end: () => plan('free'),
  },
] as const

async function plan(name: 'trial' | 'core' | 'free', until?: Date): Promise<void> {
  const act = { workspaceId: scene.workspaceId, plan: name, actor: tester, now: scene.now }
  await setPlan(scene.database.db, { ...act, ...(until === undefined ? {} : { until }) })
  if (name === 'trial')
    await scene.database.db.updateTable('workspace').set({ created_at: testNow }).execute()
}

describe.each(endings)('the end of $what', ({ told, to, begin, end }) => {
  const endsAt = new Date(testNow.getTime() + 30 * dayMs)
  const before = (days: number, byMs = 0) => new Date(endsAt.getTime() - days * dayMs - byMs)
  const look = async (now: Date) => {
    scene.now = now
    // three schedulers at once
    await Promise.all([1, 2, 3].map(() => tellOfExpiry(scene.database.db, now)))
    await scene.settle()
    return { mail: await scene.mailed(told), bell: await scene.rung(told) }
  }
  const times = (count: number) => {
    const rung = Array.from({ length: count }, () => to)
      .flat()
      .sort()
    return { mail: rung.map((role) => `${role} kept`), bell: rung }
  }

  it('is told by mail and bell 14 days and 3 days before it, to the minute, once each', async () => {
    await begin(endsAt)
    const looks = [
      [before(14, 60_000), 0],
      [before(14), 1],
      [before(14, -60_000), 1],
      [before(9), 1],
      [before(3, 60_000), 1],
      [before(3), 2],
      [before(3, -60_000), 2],
      [before(0, 60_000), 2],
      [before(0), 2],
      [before(-1), 2],
    ] as const
    for (const [now, count] of looks) expect(await look(now), now.toISOString()).toEqual(times(count))
    scene.now = testNow
    await end()
  })

  it('is not told once it will not come, or has come already', async () => {
    await begin(endsAt)
    scene.now = before(15)
    await end()
    for (const days of [14, 10, 3, 1]) expect(await look(before(days))).toEqual(times(0))
  })

  it('is not told a second time when that was so between the two times', async () => {
    await begin(endsAt)
    expect(await look(before(14))).toEqual(times(1))
    await end()
    for (const days of [10, 3, 1]) expect(await look(before(days))).toEqual(times(1))
  })

  it('is not told in a closed workspace', async () => {
    const { db } = scene.database
    await begin(endsAt)
    await db
      .updateTable('workspace')
      .set({ closed_at: before(20) })
      .execute()
    for (const days of [14, 3]) expect(await look(before(days))).toEqual(times(0))
    await db.updateTable('workspace').set({ closed_at: null }).execute()
    await end()
  })
})
