import { expect, it } from 'vitest'
import { runSilentStore } from './scenarios/silent-store.ts'

it('a host of the database that dies without a word is left in seconds; nothing is lost', async () => {
  const figures = await runSilentStore({ silences: 1, pauseMs: 200 })
  console.info(figures)
  expect(figures.badAnswers).toEqual([])
  expect(figures.acknowledged).toBeGreaterThan(1)
  expect(figures).toMatchObject({ missing: 0, duplicateRows: 0, unmatched: 0 })
}, 600_000)
