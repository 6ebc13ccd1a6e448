import { beforeEach, describe, expect, it } from 'vitest'
import type { Duration, Metrics } from '../../src/contract/metrics/shapes.ts'
import { severities } from '../../src/contract/severities.ts'
import { describeMetrics } from '../../src/metrics/reads/describe-metrics.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { npm } from '../support/parts.ts'
import { addSbom, addVersion, type Family } from '../support/rows.ts'
import { addHistory, day } from './history-scene.ts'

let database: TestDatabase
let acme: TestWorkspace
let umbrella: TestWorkspace

beforeEach(async () => {
  database = await createTestDatabase()
  ;[acme, umbrella] = await createScene(database.db)
  return () => database.drop()
})

const familyOf = ({ id, families }: TestWorkspace, place = 0): Family => {
  return { workspaceId: id, familyId: families[place]?.id ?? '' }
}

async function add(family: Family, history: Parameters<typeof addHistory>[2]): Promise<void> {
  await addHistory(database.db, family, history)
}

type Asking = { family?: Family; days?: number; now?: Date; timeZone?: string }

/** Metrics of the first workspace, on 31 January. */
function read({ family, days = 30, now = day(31), timeZone = 'UTC' }: Asking = {}): Promise<Metrics> {
  const scope = { workspaceId: acme.id, familyId: family?.familyId ?? null }
  return describeMetrics(database.db, { ...scope, days, timeZone }, now)
}

/** `05 critical 1, high 2`, without zeros. */
const opened = ({ open }: Metrics) =>
  open.map(({ day: on, open: counts }) =>
    [on.slice(-2), ...severities.flatMap((of) => (counts[of] === 0 ? [] : [`${of} ${counts[of]}`]))].join(
      ' ',
    ),
  )

/** `2: 3 d, 9 d` */
const took = ({ count, medianSeconds, p90Seconds }: Duration) =>
  count === 0 ? '–' : `${count}: ${(medianSeconds ?? 0) / 86_400} d, ${(p90Seconds ?? 0) / 86_400} d`

describe('open findings', () => {
  it('are counted at the end of each day that changed them, from what was open before the period', async () => {
    const family = familyOf(acme)
    // open throughout, since before the period
    await add(family, { severity: 'critical', seen: new Date('2025-06-01T00:00:00Z') })
    // closed before the period
    await add(family, { seen: new Date('2025-06-01T00:00:00Z'), closed: new Date('2025-12-01T00:00:00Z') })
    await add(family, { severity: 'high', seen: day(3), closed: day(10) })
    await add(family, { severity: 'high', seen: day(3) })
    // declared on the 5th, no longer on the 7th
    await add(family, { severity: 'low', seen: day(3), turns: [day(5), day(7)] })
    // seen and closed on the same day
    await add(family, { severity: 'medium', seen: day(20, 1), closed: day(20, 2) })
    // declared before it was seen: never open
    await add(family, { severity: 'medium', seen: day(21), turns: [day(21)] })
    const metrics = await read()
    expect(metrics.firstDay).toBe('2026-01-01')
    expect(metrics.today).toBe('2026-01-31')
    expect(opened(metrics)).toEqual([
      '01 critical 1',
      '03 critical 1, high 2, low 1'.replaceAll(',', ''),
      '05 critical 1 high 2',
      '07 critical 1 high 2 low 1',
      '10 critical 1 high 1 low 1',
    ])
  })

  it('belong to a day by the clock of the workspace', async () => {
    await add(familyOf(acme), { seen: day(3, 23) })
    expect(opened(await read({ timeZone: 'Europe/Oslo' }))).toEqual(['01', '04 high 1'])
    expect(opened(await read({ timeZone: 'America/New_York' }))).toEqual(['01', '03 high 1'])
  })
})

describe('times', () => {
  it('are the median and what nine of ten did not exceed, by severity and for all', async () => {
    const family = familyOf(acme)
    await addSbom(database.db, family, { parts: [npm('pump', '1.0.0')], now: day(1) })
    // verdicts after 1, 2, 3, 4 and 5 days: median 3, 9 of 10 within 4.6
    for (const days of [1, 2, 3, 4, 5]) {
      const since = day(2 + days)
      await add(family, {
        severity: 'critical',
        seen: day(2),
        verdict: { is: 'not_affected', since },
        firstVerdict: since,
        turns: [since],
      })
    }
    // fixed by a new SBOM after 4 and 8 days: median 6, 9 of 10 within 7.6
    await add(family, { severity: 'high', seen: day(2), closed: day(6) })
    await add(family, { severity: 'high', seen: day(2), closed: day(10) })
    // waiting for a verdict for 10 and 20 days on the 31st
    await add(family, { severity: 'low', seen: day(21) })
    await add(family, { severity: 'low', seen: day(11) })
    const { times, all } = await read()
    expect(
      times.map(({ severity, verdict, fix, waiting }) => [severity, took(verdict), took(fix), took(waiting)]),
    ).toEqual([
      ['critical', '5: 3 d, 4.6 d', '–', '–'],
      ['high', '–', '2: 6 d, 7.6 d', '–'],
      ['low', '–', '–', '2: 15 d, 19 d'],
    ])
    expect([took(all.verdict), took(all.fix), took(all.waiting)]).toEqual([
      '5: 3 d, 4.6 d',
      '2: 6 d, 7.6 d',
      '2: 15 d, 19 d',
    ])
  })

  it.each([
    // what, history, verdicts, before first seen, fixes
    [
      'affected, later fixed',
      { verdict: { is: 'fixed', since: day(12) }, firstVerdict: day(4), turns: [day(12)] },
      '1: 2 d, 2 d',
      0,
      '1: 10 d, 10 d',
    ],
    [
      'of an earlier release: the first turn',
      { turns: [day(5), day(8)], verdict: { is: 'affected', since: day(8) } },
      '1: 3 d, 3 d',
      0,
      '–',
    ],
    [
      'of an earlier release: the verdict in force',
      { verdict: { is: 'affected', since: day(7) } },
      '1: 5 d, 5 d',
      0,
      '–',
    ],
    [
      'under investigation is no verdict',
      { verdict: { is: 'under_investigation', since: day(7) } },
      '–',
      0,
      '–',
    ],
    [
      'sent before it was seen',
      { verdict: { is: 'not_affected', since: day(1) }, firstVerdict: day(2) },
      '–',
      1,
      '–',
    ],
    [
      'declared not affected, later gone',
      { verdict: { is: 'not_affected', since: day(3) }, firstVerdict: day(3), closed: day(9) },
      '1: 1 d, 1 d',
      0,
      '–',
    ],
    [
      'declared fixed, later gone',
      { verdict: { is: 'fixed', since: day(3) }, firstVerdict: day(3), closed: day(9) },
      '1: 1 d, 1 d',
      0,
      '1: 1 d, 1 d',
    ],
    [
      'declared fixed and open again',
      { turns: [day(3), day(4)], firstVerdict: day(3) },
      '1: 1 d, 1 d',
      0,
      '–',
    ],
    ['gone without a verdict', { closed: day(9) }, '–', 0, '1: 7 d, 7 d'],
  ] as const)('%s', async (_what, history, verdict, before, fix) => {
    const family = familyOf(acme)
    await addSbom(database.db, family, { parts: [npm('pump', '1.0.0')], now: day(1) })
    await add(family, { seen: day(2), ...history })
    const { all } = await read()
    expect([took(all.verdict), all.verdictBefore, took(all.fix)]).toEqual([verdict, before, fix])
  })

  it('count what ended in the period alone, however long ago it was seen', async () => {
    const family = familyOf(acme)
    await addSbom(database.db, family, { parts: [npm('pump', '1.0.0')], now: day(1) })
    await add(family, { seen: new Date('2025-12-22T12:00:00Z'), closed: day(1, 12) })
    await add(family, { seen: new Date('2025-12-22T12:00:00Z'), closed: new Date('2025-12-31T23:59:00Z') })
    await add(family, {
      seen: new Date('2025-12-02T00:00:00Z'),
      firstVerdict: new Date('2025-12-03T00:00:00Z'),
    })
    const { all } = await read()
    expect(took(all.fix)).toBe('1: 10 d, 10 d')
    expect(took(all.verdict)).toBe('–')
  })

  it('do not take a retired version, or one without an SBOM in use, for a fix', async () => {
    const { db } = database
    const family = familyOf(acme)
    const retired = await addVersion(db, family, '1.0')
    const silent = await addVersion(db, family, '2.0')
    await addSbom(db, family, { versionId: retired, parts: [npm('pump', '1.0.0')], now: day(1) })
    await db
      .updateTable('product_version')
      .set({ retired_at: day(8) })
      .where('id', '=', retired)
      .execute()
    await add(family, { versionId: retired, seen: day(2), closed: day(5) })
    await add(family, { versionId: retired, seen: day(2), closed: day(8) })
    await add(family, { versionId: silent, seen: day(2), closed: day(9) })
    const { all } = await read()
    expect(took(all.fix)).toBe('1: 3 d, 3 d')
  })
})

describe('a history', () => {
  it('that is empty shows nothing and measures nothing', async () => {
    const metrics = await read()
    expect(metrics).toMatchObject({ families: 2, knownSince: null, countedSince: null, times: [] })
    expect(opened(metrics)).toEqual(['01'])
    expect(metrics.counted).toEqual([
      { day: '2026-01-31', kev: 0, euvd: 0, exploited: 0, covered: 0, components: 0 },
    ])
    expect(metrics.all.verdict).toEqual({ count: 0, medianSeconds: null, p90Seconds: null })
  })

  it('of one day is known since that day', async () => {
    const family = familyOf(acme)
    await addSbom(database.db, family, { parts: [npm('pump', '1.0.0')], now: day(31, 8) })
    await add(family, { severity: 'critical', seen: day(31, 9), exploitedBy: ['kev', 'euvd'] })
    const metrics = await read()
    expect(metrics.knownSince).toBe('2026-01-31')
    expect(opened(metrics)).toEqual(['01', '31 critical 1'])
    expect(metrics.counted).toEqual([
      { day: '2026-01-31', kev: 1, euvd: 1, exploited: 1, covered: 0, components: 1 },
    ])
  })

  it('is that of the workspace and of the family that were asked for', async () => {
    await add(familyOf(acme), { severity: 'critical', seen: day(3) })
    await add(familyOf(acme, 1), { severity: 'high', seen: day(4) })
    await add(familyOf(umbrella), { severity: 'low', seen: day(5) })
    expect(opened(await read())).toEqual(['01', '03 critical 1', '04 critical 1 high 1'])
    expect(opened(await read({ family: familyOf(acme, 1) }))).toEqual(['01', '04 high 1'])
    await expect(read({ family: familyOf(umbrella) })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('leaves an archived family out of all days, and shows it on its own', async () => {
    await add(familyOf(acme), { severity: 'critical', seen: day(3) })
    await add(familyOf(acme, 1), { severity: 'high', seen: day(4) })
    await database.db
      .updateTable('family')
      .set({ archived_at: day(20) })
      .where('id', '=', familyOf(acme, 1).familyId)
      .execute()
    expect(opened(await read())).toEqual(['01', '03 critical 1'])
    expect(opened(await read({ family: familyOf(acme, 1) }))).toEqual(['01', '04 high 1'])
  })
})
