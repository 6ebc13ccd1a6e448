import { describe, expect, it } from 'vitest'
import { InputReader } from './read-input.ts'

const now = new Date('2026-11-02T10:00:00.000Z')
const awareness = { at: new Date('2026-11-02T09:00:00.325Z'), what: 'the awareness' }

describe('a time that follows another one', () => {
  it.each([
    ['2026-11-02T09:00:00Z', '2026-11-02T09:00:00.325Z', true],
    ['2026-11-02T09:00:00.325Z', '2026-11-02T09:00:00.325Z', true],
    ['2026-11-02T09:00:01Z', '2026-11-02T09:00:01.000Z', true],
    ['2026-11-02T08:59:59Z', '2026-11-02T08:59:59.000Z', false],
    ['2026-11-02T09:00:00.100Z', '2026-11-02T09:00:00.100Z', false],
  ])('%s is read as %s; taken: %s', (given, read, isTaken) => {
    const input = new InputReader()
    const at = input.time('submittedAt', given, { now, notBefore: awareness })
    expect(at.toISOString()).toBe(read)
    if (isTaken) expect(() => input.finish()).not.toThrow()
    else expect(() => input.finish()).toThrow()
  })
})
