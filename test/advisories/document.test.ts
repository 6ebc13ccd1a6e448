import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildDocument } from '../../src/advisories/document/build-document.ts'
import { checkContent } from '../../src/advisories/document/check-content.ts'
import { judgeDocument } from '../../src/advisories/gate/judge-document.ts'
import { brokenDraft } from './broken-drafts.ts'
import { validInput } from './random-drafts.ts'

test(
  'every valid draft becomes a document that passes all mandatory tests',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(validInput, async (order) => {
        expect(checkContent(order.content)).toEqual([])
        expect(await judgeDocument(buildDocument(order).document)).toEqual([])
      }),
      { numRuns: 300 },
    )
  },
)

test('every draft with a fault is refused, with the field that has it', () => {
  fc.assert(
    fc.property(brokenDraft, ({ draft, field }) => {
      expect(checkContent(draft).map((problem) => problem.field)).toContain(field)
    }),
    { numRuns: 1_000 },
  )
})
