import { expect, it } from 'vitest'
import { killDuringUploads } from './scenarios/kill-during-uploads.ts'

it('kill -9 during uploads loses no acknowledged one, doubles none, and matching resumes by itself', async () => {
  const { acknowledged, ...figures } = await killDuringUploads({ kills: 4 })
  expect(figures).toEqual({
    kills: 4,
    missing: 0,
    duplicateRows: 0,
    severalIds: 0,
    doubleNew: 0,
    unmatched: 0,
  })
  expect(acknowledged).toBeGreaterThan(4)
}, 600_000)
