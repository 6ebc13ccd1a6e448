import { expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { runFullSpam } from './scenarios/full-spam.ts'

test('what is certainly spam keeps no file, and a workspace without room for files still takes words', async () => {
  const { figures, failures } = await runFullSpam(await createTestDatabase(), {
    reports: 3,
    fileBytes: 2 * 1024 * 1024,
  })
  expect(failures).toEqual([])
  expect(figures).toMatchObject({ keptBytes: 0, fileRefused: 1, wordsTaken: 1, othersTaken: 1 })
  expect(figures['grownMB']).toBeLessThan(4)
})
