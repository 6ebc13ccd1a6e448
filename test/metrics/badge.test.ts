import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { badgeMessage, type BadgeFacts } from '../../src/contract/metrics/badge.ts'
import {
  archiveFamily,
  getFamilyBadge,
  restoreFamily,
  switchBadgeOff,
  switchBadgeOn,
} from '../../src/contract/products/operations.ts'
import { drawBadge } from '../../src/disclosure-site/draw-badge.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { type Answer, baseUrl, call, endBoth } from '../support/http.ts'
import { npm } from '../support/parts.ts'
import { addCoverage, addSbom } from '../support/rows.ts'
import type { TestWorkspace } from '../support/scene.ts'
import { addHistory } from './history-scene.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

const all: BadgeFacts = {
  state: 'core',
  malware: 0,
  exploited: 0,
  critical: 0,
  covered: 100,
  components: 100,
  isDataReady: true,
  isDataOld: false,
}

describe('a badge', () => {
  it.each<[Partial<BadgeFacts>, string, string]>([
    [{}, 'good', 'no known exploited · 100 % covered'],
    [{ covered: 80 }, 'good', 'no known exploited · 80 % covered'],
    [{ covered: 79 }, 'unknown', 'not known · 79 % covered'],
    [{ covered: 799, components: 1000 }, 'unknown', 'not known · 79 % covered'],
    [{ covered: 999, components: 1000 }, 'good', 'no known exploited · 99 % covered'],
    [{ covered: 0 }, 'unknown', 'not known · 0 % covered'],
    [{ components: 0, covered: 0 }, 'unknown', 'no SBOM'],
    [{ isDataReady: false }, 'unknown', 'data not loaded'],
    [{ isDataOld: true }, 'unknown', 'data out of date'],
    [{ isDataOld: true, exploited: 2 }, 'alarm', '2 known exploited · 100 % covered'],
    [{ state: 'free' }, 'unknown', 'monitoring paused'],
    [{ state: 'free', exploited: 2 }, 'unknown', 'monitoring paused'],
    [{ state: 'suspended' }, 'unknown', 'monitoring paused'],
    [{ malware: 1 }, 'alarm', '1 malware · 100 % covered'],
    [{ malware: 1, exploited: 2 }, 'alarm', '1 malware, 2 known exploited · 100 % covered'],
    [{ exploited: 2 }, 'alarm', '2 known exploited · 100 % covered'],
    [{ exploited: 2, critical: 3, covered: 10 }, 'alarm', '2 known exploited, 3 critical · 10 % covered'],
    [{ critical: 3 }, 'warning', '3 critical · 100 % covered'],
    // findings are shown even if not everything could be checked
    [{ critical: 3, isDataReady: false }, 'warning', '3 critical · 100 % covered'],
    [{ state: 'trial' }, 'good', 'no known exploited · 100 % covered'],
  ])('of %j is %s: %s', (facts, tone, words) => {
    expect(badgeMessage({ ...all, ...facts })).toEqual({ tone, words })
  })

  it('is an SVG that says in words what its colour says, and loads and runs nothing', () => {
    const svg = drawBadge({ tone: 'alarm', words: '2 known exploited <&> "x"' })
    expect(svg).toContain('<title>vulnerabilities: 2 known exploited &#60;&#38;&#62;')
    expect(svg).not.toMatch(/<script|href|<image|<style|url\(|\son\w+=/)
    expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true)
    expect(svg.length).toBeLessThan(1_500)
  })
})

let { store: database, http, acme, umbrella, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store: database, http, acme, umbrella, owner } = await openAppScene({ families: 6 }))
  await database.db
    .insertInto('data_source')
    .values([
      { name: 'osv:npm', is_whole: true, last_success_at: testNow, record_count: 1 },
      { name: 'kev', is_whole: true, last_success_at: testNow, record_count: 1 },
    ])
    .execute()
})
afterAll(() => endBoth(http, database))

const familyOf = ({ families }: TestWorkspace, place: number): string => families[place]?.id ?? ''
/** A family by its index. */
const at = (place: number, of = acme) => ({ params: { family: familyOf(of, place) } })

/** The answer without parts that differ per request. */
async function publicly(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { headers: got, ...answer } = await call(url.replace(baseUrl, http.url), { headers })
  const { 'x-request-id': _id, date: _date, ...others } = got
  return { ...answer, headers: others }
}

async function switchOn(place: number): Promise<string> {
  await owner.call(switchBadgeOn, at(place))
  const { url } = await owner.call(getFamilyBadge, at(place))
  return url ?? ''
}

/** An SBOM of the family with covered components, and its findings. */
async function fill(place: number, workspace = acme): Promise<void> {
  const family = { workspaceId: workspace.id, familyId: familyOf(workspace, place) }
  const sbomId = await addSbom(database.db, family, { parts: [npm('pump', '1.0.0')] })
  await addCoverage(database.db, { workspaceId: workspace.id, sbomId }, [
    { decidability: 'covered', ecosystem: 'npm', components: 1 },
  ])
}

test('it is off until somebody switches it on, and says what the family has open', async () => {
  const family = { workspaceId: acme.id, familyId: familyOf(acme, 0) }
  await fill(0)
  await addHistory(database.db, family, { seen: testNow, severity: 'critical', exploitedBy: ['kev'] })
  await addHistory(database.db, family, { seen: testNow, severity: 'critical' })
  await addHistory(database.db, family, { seen: testNow, severity: 'critical', closed: testNow })
  const verdict = { is: 'not_affected', since: testNow } as const
  await addHistory(database.db, family, {
    seen: testNow,
    severity: 'critical',
    exploitedBy: ['kev'],
    verdict,
  })
  await addHistory(
    database.db,
    { workspaceId: umbrella.id, familyId: familyOf(umbrella, 0) },
    { seen: testNow, severity: 'critical', exploitedBy: ['kev'] },
  )
  const words = '1 known exploited, 2 critical · 100 % covered'
  expect(await owner.call(getFamilyBadge, at(0))).toEqual({ tone: 'alarm', words, url: null })
  const url = await switchOn(0)
  expect(url).toMatch(/^https:\/\/monitor\.example\/badges\/[A-Za-z0-9_-]{43}\.svg$/)
  const { status, headers, body } = await publicly(url)
  expect({ status, headers }).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'content-security-policy': "default-src 'none'",
      'x-content-type-options': 'nosniff',
    },
  })
  expect(body).toContain(words)
  expect(body).not.toMatch(/pump|acme|company/i)
  const again = await publicly(url, { 'if-none-match': String(headers['etag']) })
  expect(again).toMatchObject({ status: 304, body: '' })
  expect((await call(url.replace(baseUrl, http.url), { method: 'HEAD' })).status).toBe(200)
})

test('off, of an archived family and of a closed workspace it is answered as an address that never was', async () => {
  const never = await publicly(`${baseUrl}/badges/${'x'.repeat(43)}.svg`)
  expect(never).toMatchObject({ status: 404, body: 'Not found' })
  expect(await publicly(`${baseUrl}/nothing/here`)).toEqual(never)
  const url = await switchOn(1)
  for (const wrong of [url.slice(0, -4), url.replace('.svg', '.png'), `${url.slice(0, -5)}.svg`, `${url}/`]) {
    expect(await publicly(wrong), wrong).toEqual(never)
  }
  expect((await publicly(url)).status).toBe(200)
  await owner.call(archiveFamily, at(1))
  expect(await publicly(url)).toEqual(never)
  await owner.call(restoreFamily, at(1))
  expect((await publicly(url)).status).toBe(200)
  await database.db.updateTable('workspace').set({ closed_at: testNow }).where('id', '=', acme.id).execute()
  expect(await publicly(url)).toEqual(never)
  await database.db.updateTable('workspace').set({ closed_at: null }).where('id', '=', acme.id).execute()
  await owner.call(switchBadgeOff, at(1))
  expect(await publicly(url)).toEqual(never)
  expect(await switchOn(1)).not.toBe(url)
  expect(await publicly(url)).toEqual(never)
})

test('whoever may manage families switches it, once, and the audit trail has it', async () => {
  const viewer = await AppSession.signIn(http.url, acme.members.viewer)
  expect((await viewer.refused(switchBadgeOn, at(2))).status).toBe(403)
  const url = await switchOn(2)
  expect(await switchOn(2)).toBe(url)
  expect(await viewer.call(getFamilyBadge, at(2))).toMatchObject({ url, words: 'no SBOM' })
  expect((await viewer.refused(switchBadgeOff, at(2))).status).toBe(403)
  await owner.call(switchBadgeOff, at(2))
  await owner.call(switchBadgeOff, at(2))
  const events = await database.db
    .selectFrom('audit_event')
    .select('action')
    .where('object_id', '=', familyOf(acme, 2))
    .where('action', 'in', ['family.badge_switched_on', 'family.badge_switched_off'])
    .orderBy('id')
    .execute()
  expect(events.map(({ action }) => action)).toEqual([
    'family.badge_switched_on',
    'family.badge_switched_off',
  ])
  expect((await owner.refused(switchBadgeOn, at(2, umbrella))).status).toBe(404)
  expect((await owner.refused(getFamilyBadge, at(2, umbrella))).status).toBe(404)
})

test('while the workspace is read-only it says so, cannot be switched on, and can be switched off', async () => {
  await fill(3)
  const url = await switchOn(3)
  await database.db.updateTable('workspace').set({ plan: 'free' }).where('id', '=', acme.id).execute()
  expect((await publicly(url)).body).toContain('vulnerabilities: monitoring paused')
  expect((await owner.refused(switchBadgeOn, at(4))).status).toBe(402)
  await owner.call(switchBadgeOff, at(3))
  expect((await publicly(url)).status).toBe(404)
  await database.db.updateTable('workspace').set({ plan: 'core' }).where('id', '=', acme.id).execute()
})

test('it never says that nothing is known while the catalogues are not loaded or old', async () => {
  await fill(5)
  const words = async () => (await owner.call(getFamilyBadge, at(5))).words
  expect(await words()).toBe('no known exploited · 100 % covered')
  const loadedAt = (days: number) =>
    database.db
      .updateTable('data_source')
      .set({ last_success_at: new Date(testNow.getTime() - days * 86_400_000) })
      .where('name', '=', 'kev')
      .execute()
  await loadedAt(7)
  expect(await words()).toBe('data not loaded')
  await loadedAt(6)
  expect(await words()).toBe('no known exploited · 100 % covered')
  const recordsOf = (days: number) =>
    database.db
      .updateTable('data_source')
      .set({ last_success_at: new Date(testNow.getTime() - days * 86_400_000) })
      .where('name', '=', 'osv:npm')
      .execute()
  await recordsOf(8)
  expect(await words()).toBe('data out of date')
  await recordsOf(1)
  expect(await words()).toBe('no known exploited · 100 % covered')
  await database.db
    .updateTable('data_source')
    .set({ is_whole: false })
    .where('name', '=', 'osv:npm')
    .execute()
  expect(await words()).toBe('not known · 0 % covered')
  await database.db.deleteFrom('data_source').where('name', '=', 'kev').execute()
  expect(await words()).toBe('data not loaded')
})
