import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { RowIds } from './row-ids.ts'

const ids = fc.array(
  fc.oneof(fc.nat(200), fc.integer({ min: 32_700, max: 32_900 }), fc.maxSafeNat()).filter((id) => id > 0),
)

it('holds what was added, and gives it in order', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 9 }), (added, max) => {
      const rowIds = new RowIds()
      for (const id of added) rowIds.add(id)
      const expected = [...new Set(added)].sort((a, b) => a - b)
      expect([...rowIds]).toEqual(expected)
      expect(rowIds.size).toBe(expected.length)
      expect(expected.every((id) => rowIds.has(id))).toBe(true)
      expect(expected.filter((id) => rowIds.has(id + 1))).toEqual(
        expected.filter((id) => expected.includes(id + 1)),
      )
      const runs = [...rowIds.inRuns(max)]
      expect(runs.flat()).toEqual(expected)
      expect(runs.every((run, index) => run.length === max || index === runs.length - 1)).toBe(true)
    }),
  )
})
