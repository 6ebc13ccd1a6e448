import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tellOfExpiry } from '../../src/alerts/notices/expiry.ts'
import { createToken } from '../../src/workspace/tokens/create-token.ts'
import { revokeToken } from '../../src/workspace/tokens/revoke-token.ts'
import { testNow } from '../support/clock.ts'
import { createNoticeScene, type NoticeScene } from './notice-scene.ts'

let scene: NoticeScene

const system = { kind: 'system', id: null, name: 'test' } as const

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
    // several schedulers at the same moment, and again after a restart
    await Promise.all([1, 2, 3, 4].map(() => tellOfExpiry(scene.database.db, scene.now)))
    await tellOfExpiry(scene.database.db, scene.now)
    await scene.settle()
  }

  it('come 14 and 3 days before a token ends, once each, to admins and who made it', async () => {
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
    await revokeToken(db, { workspaceId: scene.workspaceId, tokenId: id, actor: system, now: scene.now })
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
        actor: system,
        now,
      })
    const slept = await make('slept', days(30), testNow)
    scene.now = days(28)
    const short = await make('short', days(30), scene.now)
    await tick()
    expect(await scene.mailed('token.expiring')).toEqual(['admin kept', 'owner kept'])
    for (const { id } of [slept, short])
      await revokeToken(db, { workspaceId: scene.workspaceId, tokenId: id, actor: system, now: scene.now })
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
