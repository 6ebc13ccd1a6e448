import { describe, expect, it } from 'vitest'
import { InputReader, lineProblem } from './input-reader.ts'

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

describe('a text', () => {
  it.each([
    ['', { min: 1, max: 3 }, '1 to 3 characters are required.'],
    ['   ', { min: 1, max: 3 }, '1 to 3 characters are required.'],
    ['\u3164', { min: 1, max: 3 }, '1 to 3 characters are required.'],
    ['\u200b', { min: 1, max: 3 }, '1 to 3 characters are required.'],
    ['abcd', { min: 1, max: 3 }, '1 to 3 characters are required.'],
    ['abcd', { min: 0, max: 3 }, 'At most 3 characters.'],
    ['abc', { min: 5, max: 9 }, 'At least 5 and at most 9 characters are required.'],
    ['\ud800', { min: 0, max: 3 }, 'It contains a character that is not text.'],
    ['a\u202eb', { min: 0, max: 3 }, 'It contains an invisible character (U+202E).'],
  ])('of one line: %j within %j is refused: %s', (given, length, problem) => {
    expect(lineProblem(given.trim(), length)).toBe(problem)
  })

  it('that is a name has a character at least, and none that hides', () => {
    const input = new InputReader()
    for (const [field, given] of Object.entries({ blank: ' ', long: 'abcd', hidden: 'a\u202eb' }))
      input.line(field, given, 3)
    const fields = {
      blank: '1 to 3 characters are required.',
      long: '1 to 3 characters are required.',
      hidden: 'It contains an invisible character (U+202E).',
    }
    expect(() => input.finish()).toThrow(expect.objectContaining({ fields }))
  })

  it('is taken without the spaces around it, each emoji as one character', () => {
    const input = new InputReader()
    expect(input.line('name', ' 🚰🚰🚰 ', 3)).toBe('🚰🚰🚰')
    expect(input.optionalLine('contact', '  ', 3)).toBeNull()
    expect(input.text('comment', 'one\r\ntwo\n', { min: 1, max: 7 })).toBe('one\ntwo')
    input.finish()
  })
})
