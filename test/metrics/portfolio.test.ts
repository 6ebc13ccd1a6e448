import { expect, it } from 'vitest'
import type { Metrics } from '../../src/contract/metrics/shapes.ts'
import { severities } from '../../src/contract/severities.ts'
import { countDays } from '../../src/metrics/days/family-days.ts'
import { describeMetrics } from '../../src/metrics/reads/describe-metrics.ts'
import { createTestDatabase } from '../support/database.ts'
import { createScene } from '../support/scene.ts'
import { npm } from '../support/parts.ts'
import { addSbom } from '../support/rows.ts'
import { addHistory, day } from './history-scene.ts'

/** Repeatable random numbers (Park and Miller's minimal generator). */
function chanceFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** The additive figures: counts of each day, and numbers of measured times. */
function countsOn(metrics: Metrics, on: string): number[] {
  const open = metrics.open.filter((one) => one.day <= on).at(-1)?.open
  const counted = metrics.counted.find((one) => one.day === on)
  return [
    ...severities.map((severity) => open?.[severity] ?? 0),
    ...(counted === undefined
      ? [0, 0, 0, 0, 0]
      : [counted.kev, counted.euvd, counted.exploited, counted.covered, counted.components]),
  ]
}

const measured = ({ all }: Metrics) => [
  all.verdict.count,
  all.verdictBefore,
  all.fix.count,
  all.waiting.count,
]

const sumOf = (lists: number[][]) =>
  (lists[0] ?? []).map((_, at) => lists.reduce((sum, list) => sum + (list[at] ?? 0), 0))

it.each([1, 20, 300])('the families add up to the portfolio on every day (chance %i)', async (seed) => {
  const chance = chanceFrom(seed)
  const database = await createTestDatabase()
  const { db } = database
  try {
    const workspaces = await createScene(db, { families: 3 })
    for (const { id: workspaceId, families } of workspaces) {
      for (const { id: familyId } of families) {
        const family = { workspaceId, familyId }
        await addSbom(db, family, { parts: [npm(`lib-${chance(50)}`, '1.0.0')], now: day(1) })
        for (let count = chance(12); count > 0; count--) {
          const seen = day(1 + chance(25), chance(24))
          const later = () => new Date(seen.getTime() + chance(200) * 3_600_000)
          const verdict = {
            is: (['affected', 'not_affected', 'fixed'] as const)[chance(3)] ?? 'fixed',
            since: later(),
          }
          await addHistory(db, family, {
            severity: severities[chance(severities.length)] ?? 'high',
            seen,
            exploitedBy:
              [[], ['kev' as const], ['euvd' as const], ['kev' as const, 'euvd' as const]][chance(4)] ?? [],
            ...(chance(3) === 0 ? { closed: later() } : {}),
            ...(chance(2) === 0 ? { verdict, firstVerdict: verdict.since } : {}),
            turns: [later(), later(), later()].slice(0, chance(4)).sort((a, b) => a.getTime() - b.getTime()),
          })
        }
      }
    }
    for (const date of [12, 13, 20]) await countDays(db, day(date))
    for (const { id: workspaceId, families } of workspaces) {
      const read = (familyId: string | null) =>
        describeMetrics(db, { workspaceId, familyId, days: 30, timeZone: 'Europe/Oslo' }, day(28))
      const portfolio = await read(null)
      const each = await Promise.all(families.map(({ id }) => read(id)))
      for (let of = 1; of <= 28; of++) {
        const on = `2026-01-${String(of).padStart(2, '0')}`
        expect([on, ...countsOn(portfolio, on)]).toEqual([on, ...sumOf(each.map((one) => countsOn(one, on)))])
      }
      expect(portfolio.counted.map(({ day: on }) => on)).toEqual([
        '2026-01-12',
        '2026-01-13',
        '2026-01-20',
        '2026-01-28',
      ])
      expect(measured(portfolio)).toEqual(sumOf(each.map(measured)))
    }
  } finally {
    await database.drop()
  }
})
