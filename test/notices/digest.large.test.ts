import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { selectNewlyExploited } from '../../src/notices/daily-facts.ts'
import { makeDigests } from '../../src/notices/digest.ts'
import { giveUpSbom, matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { refreshExploited } from '../../src/findings/changes/refresh-exploited.ts'
import { simple } from '../support/finding-scene.ts'
import { addExploited, addRecord } from '../support/records.ts'
import { npm } from '../support/parts.ts'
import { addFamily, addSbom } from '../support/rows.ts'
import { startSmtpLab, type SmtpLab } from '../support/smtp.ts'
import { selectWorkspaceCoverage } from '../../src/inventory/coverage/workspace-coverage.ts'
import { countDays } from '../../src/metrics/days/family-days.ts'
import { recordEnded } from '../../src/vulndata/ledger/outcomes.ts'
import { facts } from './facts.ts'
import { createNoticeScene, transportTo, type NoticeScene } from './notice-scene.ts'

let scene: NoticeScene
let smtp: SmtpLab

beforeAll(async () => {
  smtp = await startSmtpLab()
})
afterAll(() => smtp.close())
beforeEach(async () => {
  scene = await createNoticeScene({ timeZone: 'Europe/Oslo' })
  smtp.taken.length = 0
  return () => scene.drop()
})

const choose: NoticeScene['choose'] = (...given) => scene.choose(...given)

/** Runs several schedulers at once, then sends pending mail. Returns who got a digest. */
async function tickAt(time: string): Promise<string[]> {
  scene.now = new Date(time)
  smtp.taken.length = 0
  await Promise.all([1, 2, 3].map(() => makeDigests(scene.database.db, scene.now)))
  await makeDigests(scene.database.db, scene.now)
  await scene.settle(transportTo(smtp.port))
  return smtp.taken
    .filter(({ headers }) => headers.has('list-unsubscribe'))
    .map(({ to }) => to[0]?.split('@')[0] ?? '')
    .sort()
}

describe('a daily digest', () => {
  it('comes once at 08:00 of the zone with what came in since the last, and not at all when nothing did', async () => {
    await choose('lead', { 'incident.opened': 'digest', 'report.received': 'digest' })
    expect(await tickAt('2026-01-01T07:00:00Z')).toEqual([])
    scene.now = new Date('2026-01-01T10:00:00Z')
    await scene.emit(facts['incident.opened'])
    await scene.emit(facts['report.received'])
    expect(await tickAt('2026-01-02T06:59:59Z')).toEqual([])
    expect(await tickAt('2026-01-02T07:00:00Z')).toEqual(['lead'])
    const [mail] = smtp.taken
    expect(mail?.headers.get('subject')).toBe('Today: 2 notices')
    expect(mail?.headers.get('list-unsubscribe')).toBe(
      '<https://monitor.example/app/acme/account/notifications>',
    )
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
    const text = mail?.parts.get('text/plain') ?? ''
    expect(text).toContain('Incident INC-2026-0001 opened')
    expect(text).toContain('Vulnerability report #7 received')
    expect(text.match(/https:\/\/\S+/g)).toEqual([
      'https://monitor.example/app/acme',
      'https://monitor.example/app/acme/account/notifications',
    ])
    expect(await tickAt('2026-01-02T07:00:30Z')).toEqual([])
    expect(await tickAt('2026-01-02T23:00:00Z')).toEqual([])
    expect(await tickAt('2026-01-03T07:00:00Z')).toEqual([])
    await scene.emit(facts['report.received'])
    expect(await tickAt('2026-01-04T07:00:00Z')).toEqual(['lead'])
    expect(smtp.taken[0]?.headers.get('subject')).toBe('Today: Vulnerability report #7 received')
  })

  it('comes by the clock of each member, through both changes of clocks', async () => {
    await choose('owner', { 'report.received': 'digest' })
    await choose('lead', { 'report.received': 'digest' }, 'America/New_York')
    await choose('admin', { 'report.received': 'digest' }, 'Asia/Kolkata')
    // the first digest sets the start of the next
    await tickAt('2026-03-27T23:00:00Z')
    const got: string[] = []
    for (let minutes = 0; minutes < 48 * 60; minutes += 30) {
      const at = new Date(Date.parse('2026-03-28T00:00:00Z') + minutes * 60_000)
      if (minutes % (24 * 60) === 0) {
        scene.now = at
        await scene.emit(facts['report.received'])
      }
      for (const role of await tickAt(at.toISOString())) got.push(`${role} ${at.toISOString().slice(5, 16)}`)
    }
    expect(got).toEqual([
      'admin 03-28T02:30',
      'owner 03-28T07:00',
      'lead 03-28T12:00',
      'admin 03-29T02:30',
      // summer time since 01:00 UTC
      'owner 03-29T06:00',
      'lead 03-29T12:00',
    ])
  })

  it('that nobody was there to make is made once when the service is back', async () => {
    await choose('lead', { 'report.received': 'digest' })
    await tickAt('2026-01-02T07:00:00Z')
    await scene.emit(facts['report.received'])
    expect(await tickAt('2026-01-06T15:00:00Z')).toEqual(['lead'])
    expect(await tickAt('2026-01-06T15:01:00Z')).toEqual([])
    expect(await tickAt('2026-01-07T07:00:00Z')).toEqual([])
  })

  it('leaves out what the member may not see or chose otherwise when its turn comes', async () => {
    await choose('editor', { 'incident.opened': 'digest', 'report.received': 'digest' })
    await scene.emit(facts['report.received'])
    await scene.emit(facts['incident.opened'])
    scene.now = new Date('2026-01-02T07:00:00Z')
    await makeDigests(scene.database.db, scene.now)
    await scene.database.db
      .updateTable('member')
      .set({ role: 'viewer' })
      .where('person_id', '=', scene.people.editor)
      .execute()
    await scene.settle(transportTo(smtp.port))
    const mail = smtp.taken.find(({ headers }) => headers.has('list-unsubscribe'))
    expect(mail?.headers.get('subject')).toBe('Today: Incident INC-2026-0001 opened: Pump opens its valve')
    expect(mail?.parts.get('text/plain')).not.toContain('report')
  })

  it('names fifty notices and counts the others', async () => {
    await choose('lead', { 'incident.opened': 'digest' })
    for (let count = 0; count < 60; count += 1) await scene.emit(facts['incident.opened'])
    expect(await tickAt('2026-01-02T07:00:00Z')).toEqual(['lead'])
    const mail = smtp.taken.find(({ headers }) => headers.has('list-unsubscribe'))
    expect(mail?.headers.get('subject')).toBe('Today: 60 notices')
    expect(mail?.parts.get('text/plain')).toContain('and 10 more, in the application')
  })

  it('is not made of a closed workspace, and in a read-only one without findings', async () => {
    const { db } = scene.database
    const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
    await upload(family.id, 'pump-lib', '2026-01-01T12:00:00Z')
    await choose('lead', { 'report.received': 'digest' })
    await scene.emit(facts['report.received'])
    await db.updateTable('workspace').set({ plan: 'free' }).execute()
    expect(await tickAt('2026-01-02T07:00:00Z')).toEqual(['lead'])
    expect(smtp.taken[0]?.headers.get('subject')).toBe('Today: Vulnerability report #7 received')
    await db.updateTable('workspace').set({ plan: 'core', closed_at: scene.now }).execute()
    expect(await tickAt('2026-01-03T07:00:00Z')).toEqual([])
  })
})

async function upload(familyId: string, name: string, time: string): Promise<string> {
  const { db } = scene.database
  const now = new Date(time)
  const family = { workspaceId: scene.workspaceId, familyId }
  const sbomId = await addSbom(db, family, { versionId: null, parts: [npm(name, '1.0.0')], now })
  await matchSbom(db, { workspaceId: scene.workspaceId, sbomId, now })
  return sbomId
}

describe('what came in', () => {
  it('are new findings by severity, newly exploited ones and failed uploads, in the bell and the digest, by role', async () => {
    const { db } = scene.database
    const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
    await addRecord(db, simple('CVE-2026-1', 'pump-lib', { severity: 'critical' }))
    await addRecord(db, simple('CVE-2026-2', 'pump-lib', { severity: 'high' }))
    await addRecord(db, simple('CVE-2026-3', 'pump-lib', { severity: 'high' }))
    await upload(family.id, 'pump-lib', '2026-01-01T12:00:00Z')
    expect(await tickAt('2026-01-02T07:00:00Z')).toEqual(['admin', 'editor', 'lead', 'owner', 'viewer'])
    expect(smtp.taken[0]?.headers.get('subject')).toBe('Today: 3 new findings')
    expect(smtp.taken[0]?.parts.get('text/plain')).toContain('By severity: 1 critical, 2 high')
    expect(await scene.rung('finding.new')).toHaveLength(5)

    await addExploited(db, { source: 'kev', cveId: 'CVE-2026-2', seenAt: new Date('2026-01-02T20:00:00Z') })
    await refreshExploited(db, new Date('2026-01-02T20:00:00Z'))
    const other = await addFamily(db, scene.workspaceId, 'Valve')
    const failed = await upload(other.familyId, 'other-lib', '2026-01-02T12:00:00Z')
    await db.updateTable('sbom').set({ status: 'parsed' }).where('id', '=', failed).execute()
    const now = new Date('2026-01-02T21:00:00Z')
    await giveUpSbom(db, { workspaceId: scene.workspaceId, sbomId: failed, now })
    expect(await tickAt('2026-01-03T07:00:00Z')).toEqual(['admin', 'editor', 'lead', 'owner', 'viewer'])
    const textOf = (role: string) =>
      smtp.taken
        .find(({ to, headers }) => to[0]?.startsWith(role) && headers.get('subject')?.startsWith('Today'))
        ?.parts.get('text/plain') ?? ''
    expect(textOf('viewer')).toContain('1 finding newly known to be exploited')
    expect(textOf('viewer')).toContain('Vulnerabilities: CVE-2026-2')
    expect(textOf('viewer')).not.toContain('new finding')
    expect(textOf('viewer')).not.toContain('could not be matched')
    expect(textOf('editor')).toContain('1 SBOM could not be matched')
    expect(await scene.rung('upload.failed')).toEqual(['admin', 'editor', 'lead', 'owner'])

    expect(await tickAt('2026-01-04T07:00:00Z')).toEqual([])
  })

  it('are no findings newly exploited whose record is on several CVEs, one of them newly listed', async () => {
    const { db } = scene.database
    const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
    await addRecord(
      db,
      simple('GHSA-1', 'pump-lib', { aliases: ['CVE-2026-2'], bundles: ['CVE-2026-8', 'CVE-2026-9'] }),
    )
    await addExploited(db, { source: 'kev', cveId: 'CVE-2026-2', seenAt: new Date('2025-12-01T00:00:00Z') })
    await upload(family.id, 'pump-lib', '2026-01-01T12:00:00Z')
    await tickAt('2026-01-02T07:00:00Z')
    expect(await scene.rung('finding.exploited')).toHaveLength(5)
    await addExploited(db, { source: 'kev', cveId: 'CVE-2026-9', seenAt: new Date('2026-01-02T20:00:00Z') })
    await refreshExploited(db, new Date('2026-01-02T20:00:00Z'))
    expect(await tickAt('2026-01-03T07:00:00Z')).toEqual([])
  })

  it('name the exploited CVEs of a notice, not the notice', async () => {
    const { db } = scene.database
    const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
    const upstream = ['CVE-2026-5', 'CVE-2026-6', 'CVE-2026-7']
    await addRecord(db, simple('DSA-5555-1', 'pump-lib', { upstream }))
    await addExploited(db, { source: 'kev', cveId: 'CVE-2026-5', seenAt: new Date('2025-12-01T00:00:00Z') })
    await upload(family.id, 'pump-lib', '2026-01-01T12:00:00Z')
    const named = async (day: string, next: string) => {
      const window = { since: new Date(`${day}T07:00:00Z`), until: new Date(`${next}T07:00:00Z`) }
      return (await selectNewlyExploited(db, scene.workspaceId, window)).vulnerabilities
    }
    expect(await named('2026-01-01', '2026-01-02')).toEqual(['CVE-2026-5'])
    await addExploited(db, { source: 'kev', cveId: 'CVE-2026-7', seenAt: new Date('2026-01-02T20:00:00Z') })
    await refreshExploited(db, new Date('2026-01-02T20:00:00Z'))
    expect(await named('2026-01-02', '2026-01-03')).toEqual(['CVE-2026-7'])
    await tickAt('2026-01-03T07:00:00Z')
    // Beside it go the letters about the incidents that opened.
    const digest = smtp.taken.find(({ headers }) => headers.get('subject')?.startsWith('Today'))
    expect(digest?.parts.get('text/plain')).toContain('CVE-2026-7')
  })

  it('are components that are no longer covered, with the reason, once', async () => {
    const { db } = scene.database
    const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
    const source = { name: 'osv:npm', is_whole: true, last_success_at: new Date('2026-01-01T00:00:00Z') }
    await db
      .insertInto('data_source')
      .values({ ...source, record_count: 1 })
      .execute()
    await upload(family.id, 'pump-lib', '2026-01-01T12:00:00Z')
    for (const hour of ['2026-01-01T23:10:00Z', '2026-01-02T23:10:00Z']) await countDays(db, new Date(hour))
    expect(await tickAt('2026-01-03T07:00:00Z')).toEqual([])
    await recordEnded(db, { name: 'osv:npm', address: null, now: new Date('2026-01-03T12:00:00Z') })
    await countDays(db, new Date('2026-01-03T23:10:00Z'))
    expect(await tickAt('2026-01-04T07:00:00Z')).toEqual(['admin', 'editor', 'lead', 'owner'])
    expect(smtp.taken[0]?.headers.get('subject')).toBe('Today: 1 component no longer covered')
    expect(smtp.taken[0]?.parts.get('text/plain')).toContain(
      'npm: 1 component: its source no longer publishes data on it',
    )
    expect(await scene.rung('coverage.lost')).toEqual(['admin', 'editor', 'lead', 'owner'])
    const shown = await selectWorkspaceCoverage(db, scene.workspaceId, new Date('2026-01-04T08:00:00Z'))
    expect(shown.lost).toEqual({
      since: '2026-01-02',
      ecosystems: [{ ecosystem: 'npm', state: 'no_source', components: 1 }],
    })
    await countDays(db, new Date('2026-01-04T23:10:00Z'))
    expect(await tickAt('2026-01-05T07:00:00Z')).toEqual([])
  })

  it('is in the bell but not in mail for members who chose never', async () => {
    const { db } = scene.database
    const family = await db.selectFrom('family').select('id').executeTakeFirstOrThrow()
    await choose('viewer', { 'finding.new': 'never' })
    await addRecord(db, simple('CVE-2026-1', 'pump-lib', { severity: 'low' }))
    await upload(family.id, 'pump-lib', '2026-01-01T12:00:00Z')
    expect(await tickAt('2026-01-02T07:00:00Z')).toEqual(['admin', 'editor', 'lead', 'owner'])
    expect(await scene.rung('finding.new')).toContain('viewer')
  })
})
