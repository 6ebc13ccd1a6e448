import { expect, it } from 'vitest'
import { runRecovery } from './scenarios/recovery.ts'

/** KILLS=30 for the full run. */
const kills = Number(process.env['KILLS'] ?? 2)

it(`runs again what was running when the service was killed, ${kills} times`, async () => {
  const figures = await runRecovery({ kills, senders: 4, pauseMs: 200, leasePauseMs: 1_000 })
  console.info(figures)
  expect(figures).toMatchObject({ missing: 0, duplicateRows: 0, unmatched: 0 })
  expect(figures.acknowledged).toBeGreaterThan(kills)
  expect(figures.longestOrphanMs).toBeGreaterThan(0)
}, 600_000)
