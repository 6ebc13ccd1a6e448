import { expect, it } from 'vitest'
import { runManyProcesses } from './scenarios/many-processes.ts'

it('two HTTP and two work processes and an import share one embedded store, and none is refused', async () => {
  const figures = await runManyProcesses({ serve: 2, work: 2, senders: 24, imports: 2 })
  console.info(figures)
  expect(figures).toMatchObject({ missing: 0, duplicateRows: 0, unmatched: 0 })
  expect(figures.failedImports).toEqual([])
  expect(figures.badAnswers).toEqual([])
  expect(Object.keys(figures.answers)).toEqual(['202'])
  expect(figures.maxSessions).toBeLessThanOrEqual(2 * 21 + 2 * 12 + 12)
}, 600_000)
