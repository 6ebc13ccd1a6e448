import { afterEach, beforeEach, expect, test } from 'vitest'
import { setClosed, setPlan } from '../../src/workspace/workspaces.ts'
import { after, createIncidentScene, start, type IncidentScene } from '../incidents/incident-scene.ts'
import { drain } from '../support/drain.ts'
import { npm } from '../support/parts.ts'
import type { Family } from '../support/rows.ts'

const cve = 'CVE-2026-1234'
const actor = { kind: 'system' as const, id: null, name: 'operator' }

let scene: IncidentScene
let family: Family
beforeEach(async () => {
  scene = await createIncidentScene()
  family = await scene.family()
})
afterEach(() => scene.drop())

const plan = (to: 'trial' | 'starter' | 'core' | 'free', now: Date, until?: Date) =>
  setPlan(scene.db, {
    workspaceId: scene.workspaceId,
    plan: to,
    actor,
    now,
    ...(until === undefined ? {} : { until }),
  })
const closed = (closedAt: Date | null, now: Date) =>
  setClosed(scene.db, { workspaceId: scene.workspaceId, closedAt, actor, now })

/** A record on the family's package, and its listing, arrive at a time. */
async function becomesExploited(now: Date): Promise<void> {
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve)
  const { matchPackages } = await import('../../src/findings/changes/match-packages.ts')
  await matchPackages(scene.db, { packageKeys: ['npm\u001fpump-lib'], now })
  await drain(scene.db, now)
}

const openFindings = () =>
  scene.db.selectFrom('finding').select('id').where('closed_at', 'is', null).execute()

async function timeline() {
  const entries = await scene.db
    .selectFrom('incident_entry')
    .select(['kind', 'data'])
    .where('kind', '=', 'monitoring_resumed')
    .execute()
  return entries.map(({ data }) => data)
}

test('on Free nothing is found; subscribing finds it then, and the pause is in the timeline', async () => {
  await scene.upload(family, [npm('pump-lib', '1.0.0')])
  await plan('trial', start, after(24))
  await becomesExploited(after(48))
  expect(await openFindings()).toEqual([])
  expect(await scene.incidents()).toEqual([])

  await plan('core', after(72))
  await drain(scene.db, after(73))
  expect(await openFindings()).toHaveLength(1)
  expect(await scene.incidents()).toMatchObject([{ vuln_key: cve, aware_at: after(73) }])
  expect(await timeline()).toEqual([{ pausedFrom: after(24).toISOString() }])
})

test('what was found before stays as it was while nothing is monitored', async () => {
  await scene.upload(family, [npm('pump-lib', '1.0.0')])
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  const { matchPackages } = await import('../../src/findings/changes/match-packages.ts')
  await matchPackages(scene.db, { packageKeys: ['npm\u001fpump-lib'], now: after(1) })
  await drain(scene.db, after(1))
  expect(await openFindings()).toHaveLength(1)
  await plan('free', after(2))
  await scene.list(cve)
  const listed = () => scene.db.selectFrom('finding').select('exploited_by').executeTakeFirstOrThrow()
  expect(await listed()).toEqual({ exploited_by: [] })
  await plan('starter', after(10))
  await drain(scene.db, after(11))
  expect(await listed()).toEqual({ exploited_by: ['kev'] })
  expect(await scene.incidents()).toMatchObject([{ aware_at: after(11) }])
  expect(await timeline()).toEqual([{ pausedFrom: after(2).toISOString() }])
})

test('a job that waits already is told of the pause as well', async () => {
  await scene.upload(family, [npm('pump-lib', '1.0.0')])
  await plan('free', after(1))
  const { enqueueRefreshes } = await import('../../src/workspace/monitoring/enqueue-refresh.ts')
  await scene.addRecord(scene.record(cve, 'pump-lib'))
  await scene.list(cve)
  const { matchPackages } = await import('../../src/findings/changes/match-packages.ts')
  await matchPackages(scene.db, { packageKeys: ['npm\u001fpump-lib'], now: after(2) })
  await enqueueRefreshes(scene.db, [family], after(2))
  await plan('core', after(3))
  await drain(scene.db, after(4))
  expect(await timeline()).toEqual([{ pausedFrom: after(1).toISOString() }])
})

test('a workspace that was closed in its trial comes back read-only; a paid one goes on', async () => {
  const stored = () =>
    scene.db
      .selectFrom('workspace')
      .select(['plan', 'closed_at', 'paused_from'])
      .where('id', '=', scene.workspaceId)
      .executeTakeFirstOrThrow()
  await plan('core', start, after(1_000))
  await closed(after(1), after(1))
  await closed(null, after(2))
  expect(await stored()).toEqual({ plan: 'core', closed_at: null, paused_from: null })
  await plan('trial', after(3))
  await closed(after(4), after(4))
  await closed(null, after(5))
  expect(await stored()).toEqual({ plan: 'free', closed_at: null, paused_from: after(4) })
})
