import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longDocument, outcomeInParts, outcomeWhole } from '../../../test/support/long-list.ts'

describe('a body with a long list', { timeout: 120_000 }, () => {
  it('has the same value, or the same refusal, with any byte changed', () => {
    const bytes = Buffer.from(longDocument())
    const structural = [...bytes.keys()].filter((at) => bytes[at] !== 0xc3 && bytes[at] !== 0xa9)
    const changes = fc.record({
      at: fc.oneof(fc.constantFrom(...structural), fc.nat(bytes.length - 1)),
      removed: fc.nat(1),
      added: fc.constantFrom('', '"', ',', '[', ']', '{', '}', ':', '\\', ' ', '1', '\ufeff', '\u0000'),
    })
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 2 }), (all) => {
        let body = bytes
        for (const { at, removed, added } of all) {
          body = Buffer.concat([body.subarray(0, at), Buffer.from(added), body.subarray(at + removed)])
        }
        const whole = outcomeWhole(body)
        expect(outcomeInParts(body)).toEqual(whole)
      }),
      { numRuns: 150 },
    )
  })
})
