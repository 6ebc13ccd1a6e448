import { describe, expect, it } from 'vitest'
import { runStoreAway } from './scenarios/store-away.ts'

/** DISTURBANCES=30 for the full run. */
const terminations = Number(process.env['DISTURBANCES'] ?? 3)

// Each with its own store and service, and mostly waiting.
describe.concurrent.each([
  { store: 'embedded' as const, cuts: 0 },
  { store: 'external' as const, cuts: 2 },
])('uploads while the $store store is disturbed', ({ store, cuts }) => {
  it('end with 202, or 500 and Retry-After; nothing is lost, doubled or left over', async () => {
    const order = { store, cuts, terminations, backendKills: 1, crashes: 1, restarts: 1, senders: 4 }
    const figures = await runStoreAway({ ...order, pauseMs: 200 })
    console.info(figures)
    expect(figures.badAnswers).toEqual([])
    expect(
      Object.keys(figures.answers).filter((status) => !['200', '202', '500', '503'].includes(status)),
    ).toEqual([])
    expect(figures.acknowledged).toBeGreaterThan(terminations)
    expect(figures).toMatchObject({ missing: 0, duplicateRows: 0, unmatched: 0 })
    expect(figures).toMatchObject({ isSameProcess: true, maxListeners: 1, listenersAtEnd: 1 })
    // Listening, the embedded store's session and the worker's polling: no broken sessions are left.
    expect(figures.sessionsAtRest).toBeLessThanOrEqual(8)
  }, 600_000)
})
