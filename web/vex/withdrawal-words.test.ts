import { expect, it } from 'vitest'
import { restorationConsequence, withdrawalConsequence } from './withdrawal-words.ts'

const scope = { everyVersion: false, version: '2.4.1' }

it.each([
  [
    { statements: 3, decides: 0 },
    'Its 3 statements for version 2.4.1 no longer count. No finding depends on it at present, so no list changes. The file is kept and can be restored.',
  ],
  [
    { statements: 1, decides: 1 },
    'Its 1 statement for version 2.4.1 no longer counts. 1 finding loses the verdict it gives, and counts as open again unless another document or a decision covers it. The file is kept and can be restored.',
  ],
  [
    { statements: 3, decides: 2 },
    'Its 3 statements for version 2.4.1 no longer count. 2 findings lose the verdict it gives, and count as open again unless another document or a decision covers them. The file is kept and can be restored.',
  ],
])('%j says what stops', (counts, words) => {
  expect(withdrawalConsequence({ ...scope, ...counts })).toBe(words)
})

it.each([
  [null, 'replaces the document in force from API for version 2.4.1'],
  ['s-1', 'count again while the SBOM that contains it is active'],
])('restoring one inside SBOM %j', (sbomId, words) => {
  expect(restorationConsequence({ ...scope, source: 'api', sbomId })).toContain(words)
})
