import { expect, it } from 'vitest'
import { runManyProcesses } from './scenarios/many-processes.ts'

it('two HTTP and two work processes and an import share one embedded store, and none is refused', async () => {
  const figures = await runManyProcesses({ serve: 2, work: 2, senders: 24, imports: 2 })
  console.info(figures)
  expect(figures).toMatchObject({ lost: 0, doubled: 0, unfinished: 0 })
  expect(figures.failedImports).toEqual([])
  expect(figures.badRefusals).toEqual([])
  expect(Object.keys(figures.answers)).toEqual(['202'])
  expect(figures.mostSessions).toBeLessThanOrEqual(2 * 21 + 2 * 12 + 12)
}, 600_000)
