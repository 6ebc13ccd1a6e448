import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastWeeklyTime } from '../../src/notices/digest-time.ts'
import { makeWeeklyReports } from '../../src/notices/weekly/make-reports.ts'
import type { NoticeChoices } from '../../src/contract/notices/shapes.ts'
import { countDays } from '../../src/metrics/days/family-days.ts'
import { createNoticeScene, transportTo, type NoticeScene } from '../notices/notice-scene.ts'
import { addIncident, addReport } from './incident-rows.ts'
import { npm } from '../support/parts.ts'
import { addCoverage, addFamily, addSbom, addWorkspace, type Family } from '../support/rows.ts'
import { startSmtpLab, type SmtpLab } from '../support/smtp.ts'
import { addHistory, day } from './history-scene.ts'
import { textLike } from '../support/expected.ts'

describe('the last Monday 08:00 of a zone', () => {
  it.each([
    // 5 January 2026 is a Monday
    ['UTC', '2026-01-05T08:00:00Z', '2026-01-05', '2026-01-05T08:00:00.000Z', '2025-12-29T08:00:00.000Z'],
    ['UTC', '2026-01-05T07:59:59Z', '2025-12-29', '2025-12-29T08:00:00.000Z', '2025-12-22T08:00:00.000Z'],
    ['UTC', '2026-01-11T23:00:00Z', '2026-01-05', '2026-01-05T08:00:00.000Z', '2025-12-29T08:00:00.000Z'],
    [
      'America/New_York',
      '2026-01-05T12:59:59Z',
      '2025-12-29',
      '2025-12-29T13:00:00.000Z',
      '2025-12-22T13:00:00.000Z',
    ],
    // clocks went forward on Sunday, 29 March: the week was an hour shorter
    [
      'Europe/Oslo',
      '2026-03-30T06:00:00Z',
      '2026-03-30',
      '2026-03-30T06:00:00.000Z',
      '2026-03-23T07:00:00.000Z',
    ],
  ])('%s at %s', (zone, now, week, at, since) => {
    const time = lastWeeklyTime(new Date(now), zone)
    expect([time.week, time.at.toISOString(), time.since.toISOString()]).toEqual([week, at, since])
  })
})

let scene: NoticeScene
let smtp: SmtpLab
let family: Family

beforeAll(async () => {
  smtp = await startSmtpLab()
})
afterAll(() => smtp.close())
beforeEach(async () => {
  scene = await createNoticeScene({ timeZone: 'Europe/Oslo' })
  const { db } = scene.database
  const { id: familyId } = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
  family = { workspaceId: scene.workspaceId, familyId }
  smtp.taken.length = 0
  return () => scene.drop()
})

const choose: NoticeScene['choose'] = (...given) => scene.choose(...given)

const weekly: NoticeChoices = { 'weekly.report': 'weekly' }

/** Runs several schedulers at once, then sends pending mail. Returns who got a report. */
async function tickAt(time: string): Promise<string[]> {
  scene.now = new Date(time)
  smtp.taken.length = 0
  await Promise.all(
    [1, 2, 3].map(() => makeWeeklyReports(scene.database.db, { now: scene.now, switchedOff: [] })),
  )
  await scene.settle(transportTo(smtp.port))
  return smtp.taken.map(({ to }) => to[0]?.split('@')[0] ?? '').sort()
}

const linesOf = () => (smtp.taken[0]?.parts.get('text/plain') ?? '').split('\r\n').join('\n').split('\n')

describe('a weekly report', () => {
  it('comes on Mondays at 08:00 of each zone, once, to whoever chose it', async () => {
    await choose('lead', weekly)
    await choose('viewer', weekly, 'America/New_York')
    await choose('editor', { 'weekly.report': 'never' })
    expect(await tickAt('2026-01-05T06:59:59Z')).toEqual([])
    expect(await tickAt('2026-01-05T07:00:00Z')).toEqual(['lead'])
    expect(await tickAt('2026-01-05T07:01:00Z')).toEqual([])
    expect(await tickAt('2026-01-05T13:00:00Z')).toEqual(['viewer'])
    expect(await tickAt('2026-01-09T08:00:00Z')).toEqual([])
    // enabled during the week: starts next Monday
    await choose('owner', weekly)
    expect(await tickAt('2026-01-09T09:00:00Z')).toEqual([])
    // no process ran on Monday
    expect(await tickAt('2026-01-14T09:00:00Z')).toEqual(['lead', 'owner', 'viewer'])
    expect(await tickAt('2026-01-14T09:01:00Z')).toEqual([])
  })

  it('says what changed, what is due and what is covered', async () => {
    const { db } = scene.database
    await choose('lead', weekly)
    const sbomId = await addSbom(db, family, { parts: [npm('pump', '1.0.0')], now: day(1) })
    await addCoverage(db, { workspaceId: scene.workspaceId, sbomId }, [
      { decidability: 'covered', ecosystem: 'npm', components: 9 },
      { decidability: 'no_version', ecosystem: 'npm', components: 1 },
    ])
    await db
      .insertInto('data_source')
      .values([
        { name: 'osv:npm', is_whole: true, last_success_at: day(12), record_count: 1 },
        ...['kev', 'eukev', 'euvd'].map((name) => ({ name, is_whole: true, last_success_at: day(12) })),
      ])
      .execute()
    await countDays(db, day(5))
    // the week from 5 to 12 January, 08:00 in Oslo
    await addHistory(db, family, { severity: 'critical', seen: day(2) })
    await addHistory(db, family, { severity: 'high', seen: day(2), closed: day(8) })
    await addHistory(db, family, { severity: 'high', seen: day(2), turns: [day(9)] })
    await addHistory(db, family, { severity: 'low', seen: day(6), exploitedBy: ['kev'] })
    await addHistory(db, family, { severity: 'low', seen: day(12, 9) })
    // in other workspaces
    const archived = await addFamily(db, scene.workspaceId, 'Old')
    await addHistory(db, archived, { severity: 'critical', seen: day(2) })
    await db
      .updateTable('family')
      .set({ archived_at: day(4) })
      .where('id', '=', archived.familyId)
      .execute()
    const foreign = await addFamily(db, await addWorkspace(db, 'umbrella'), 'Pump')
    await addHistory(db, foreign, { severity: 'critical', seen: day(6) })
    const first = await addIncident(db, family, { reference: 'INC-2026-0001', openedAt: day(7) })
    await addReport(db, first, { report: 'notification', dueAt: day(11) })
    await addReport(db, first, { report: 'final_report', dueAt: day(18) })
    const second = await addIncident(db, family, {
      reference: 'INC-2026-0002',
      openedAt: day(2),
      closedAt: day(10),
    })
    await addReport(db, second, { report: 'final_report', dueAt: day(30) })
    const drill = await addIncident(db, family, {
      reference: 'INC-2026-0003',
      openedAt: day(7),
      isExercise: true,
    })
    await addReport(db, drill, { report: 'notification', dueAt: day(13) })

    expect(await tickAt('2026-01-12T07:00:00Z')).toEqual(['lead'])
    expect(smtp.taken[0]?.headers.get('subject')).toBe(
      'Your week: 1 overdue report, 1 report due this week, 2 open findings',
    )
    expect(smtp.taken[0]?.headers.get('list-unsubscribe')).toBe(
      '<https://monitor.example/app/acme/account/notifications>',
    )
    const lines = linesOf()
    expect(lines[4]).toMatch(/^Newly exploited: 1: CVE-2026-\d+$/)
    expect(lines.slice(2, 4).concat(lines.slice(5, 11))).toEqual([
      'Open findings: 2 (1 critical, 1 low), 3 a week ago',
      'In the week: 1 new, 1 declared not affected or fixed, 1 gone',
      'Due: Notification for INC-2026-0001, 11 Jan 2026, 13:00 CET (12:00 UTC)',
      'Due: Final report for INC-2026-0001, 18 Jan 2026, 13:00 CET (12:00 UTC)',
      'Incidents: 1 opened, 1 closed',
      'Coverage: 90 % of 10 components, 90 % a week ago',
      'Week: 5 Jan 2026, 08:00 CET (07:00 UTC) to 12 Jan 2026, 08:00 CET (07:00 UTC)',
      '',
    ])
    expect(lines.join('\n')).toContain('Open the metrics: https://monitor.example/app/acme/metrics?days=30')
  })

  it('says which data behind the coverage are out of date, in the words of the client', async () => {
    const { db } = scene.database
    await choose('lead', weekly)
    const sbomId = await addSbom(db, family, { parts: [npm('pump', '1.0.0')], now: day(1) })
    await addCoverage(db, { workspaceId: scene.workspaceId, sbomId }, [
      { decidability: 'covered', ecosystem: 'npm', components: 9 },
    ])
    const whole = { is_whole: true, last_success_at: day(12) }
    const failing = { last_success_at: day(10), last_error: 'It answered 503.', failing_since: day(11) }
    await db
      .insertInto('data_source')
      .values([
        { ...whole, name: 'osv:npm', ...failing },
        { ...whole, name: 'kev', last_success_at: day(9) },
        ...['eukev', 'euvd'].map((name) => ({ ...whole, name })),
      ])
      .execute()
    expect(await tickAt('2026-01-12T07:00:00Z')).toEqual(['lead'])
    const lines = linesOf()
    const told = lines.filter((line) => /^(Coverage|Out of date)/.test(line))
    expect(told).toEqual([
      'Coverage: 100 % of 9 components, not counted a week ago',
      'Out of date: the data of 9 of 9 checked components',
      'Out of date: CISA KEV: data of 2026-01-09 12:00 UTC; what it has listed since is not marked as exploited',
      'Out of date: OSV: npm: failing since 2026-01-11 12:00 UTC, data of 2026-01-10 12:00 UTC; what it has published since is missing, for 9 components',
    ])
  })

  it('of an empty workspace says so', async () => {
    await choose('owner', weekly)
    expect(await tickAt('2026-01-12T07:00:00Z')).toEqual(['owner'])
    expect(linesOf().slice(0, 8)).toEqual([
      'Your week: 0 open findings',
      '',
      'Open findings: 0, 0 a week ago',
      'In the week: 0 new, 0 declared not affected or fixed, 0 gone',
      'Newly exploited: none',
      'Due in the coming week: no report to an authority',
      'Incidents: 0 opened, 0 closed',
      'Coverage: no components, not counted a week ago',
    ])
  })

  it('names ten reports and counts the others', async () => {
    const { db } = scene.database
    await choose('owner', weekly)
    for (let count = 1; count <= 12; count++) {
      const incident = await addIncident(db, family, {
        reference: `INC-2026-${10 + count}`,
        openedAt: day(2),
      })
      await addReport(db, incident, { report: 'notification', dueAt: day(14) })
    }
    expect(await tickAt('2026-01-12T07:00:00Z')).toEqual(['owner'])
    expect(linesOf()[0]).toBe('Your week: 12 reports due this week, 0 open findings')
    expect(linesOf().filter((line) => line.startsWith('Due: '))).toHaveLength(11)
    expect(linesOf()).toContain('Due: and 2 more, in the application')
  })

  it('names the same report of several incidents on one vulnerability once, and counts each', async () => {
    const { db } = scene.database
    await choose('owner', weekly)
    for (const [count, hours] of [30, 20, 40].entries()) {
      const incident = await addIncident(db, family, {
        reference: `INC-2026-000${count + 1}`,
        openedAt: day(7),
        vulnKey: 'CVE-2026-1',
      })
      await addReport(db, incident, {
        report: 'notification',
        dueAt: new Date(day(13).getTime() + hours * 3_600_000),
      })
    }
    const other = await addIncident(db, family, {
      reference: 'INC-2026-0004',
      openedAt: day(7),
      vulnKey: 'CVE-2026-2',
    })
    await addReport(db, other, { report: 'notification', dueAt: day(17) })
    expect(await tickAt('2026-01-12T07:00:00Z')).toEqual(['owner'])
    expect(linesOf()[0]).toBe('Your week: 4 reports due this week, 0 open findings')
    expect(linesOf().filter((line) => line.startsWith('Due: '))).toEqual([
      textLike(/^Due: Notification for INC-2026-0002 and 2 more, \d+ Jan 2026, /),
      textLike(/^Due: Notification for INC-2026-0004, \d+ Jan 2026, /),
    ])
  })

  it('of a read-only workspace has its deadlines alone, and of a closed one there is none', async () => {
    const { db } = scene.database
    await choose('owner', weekly)
    await addHistory(db, family, { severity: 'critical', seen: day(6) })
    await db.updateTable('workspace').set({ plan: 'free' }).execute()
    expect(await tickAt('2026-01-12T07:00:00Z')).toEqual([])
    const incident = await addIncident(db, family, { reference: 'INC-2026-0001', openedAt: day(7) })
    await addReport(db, incident, { report: 'notification', dueAt: day(20) })
    expect(await tickAt('2026-01-19T07:00:00Z')).toEqual(['owner'])
    expect(linesOf()).toContain('Monitoring: paused: the workspace is read-only')
    expect(linesOf().join('\n')).not.toMatch(/Open findings|Coverage/)
    await db
      .updateTable('workspace')
      .set({ closed_at: day(20) })
      .execute()
    expect(await tickAt('2026-01-26T07:00:00Z')).toEqual([])
  })

  it('is not sent to members who chose otherwise, or left, before its turn came', async () => {
    await choose('owner', weekly)
    await choose('admin', weekly)
    scene.now = new Date('2026-01-12T07:00:00Z')
    await makeWeeklyReports(scene.database.db, { now: scene.now, switchedOff: [] })
    await choose('owner', { 'weekly.report': 'never' })
    await scene.database.db
      .updateTable('member')
      .set({ removed_at: scene.now })
      .where('person_id', '=', scene.people.admin)
      .execute()
    await scene.settle(transportTo(smtp.port))
    expect(smtp.taken).toEqual([])
    expect(await scene.mailed('weekly.report')).toEqual(['admin not_sent', 'owner not_sent'])
  })
})
