import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyCharacter } from '../../test/support/any-character.ts'
import { cutText, joinItems, plainText } from './fit-text.ts'

const length = (text: string) => [...text].length

describe('a text that is cut', () => {
  test.each<[string, string, number, string]>([
    ['fits exactly', 'abcdef', 6, 'abcdef'],
    ['is too long by one', 'abcdefg', 6, 'abcde…'],
    ['is counted in code points', '😀😀😀', 3, '😀😀😀'],
    ['is cut between surrogate pairs', '😀😀😀😀', 3, '😀😀…'],
    ['keeps accents with their letter', 'abe\u0301cdef', 4, 'ab…'],
    ['keeps an emoji of several code points whole', 'ab👩‍🚒cd', 5, 'ab…'],
    ['leaves no blank before the ellipsis', 'abc defgh', 5, 'abc…'],
    ['has room for nothing but the ellipsis', 'abc', 1, '…'],
    ['has no room', 'abc', 0, ''],
    ['loses controls and blank ends', '  a\u0000b\u0007\u009b\r\nc\t ', 10, 'ab\nc'],
    ['has half of a surrogate pair', 'a\ud83db', 10, 'a\ufffdb'],
  ])('%s', (_name, text, limit, cut) => {
    expect(cutText(text, limit)).toBe(cut)
  })

  test('is never longer than the limit, is whole text, and is not cut again', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, limit) => {
          const cut = cutText(text, limit)
          expect(length(cut)).toBeLessThanOrEqual(limit)
          expect(cut.isWellFormed()).toBe(true)
          expect(cutText(cut, limit)).toBe(cut)
          if (length(plainText(text)) <= limit) expect(cut).toBe(plainText(text))
          else expect(plainText(text).startsWith(cut.slice(0, -1))).toBe(true)
        },
      ),
    )
  })
})

describe('a list in a text', () => {
  test.each<[string, string[], number, string]>([
    ['fits', ['1.0', '1.1'], 8, '1.0, 1.1'],
    ['has whole items and the number of the others', ['1.0.0', '1.1.0', '1.2.0'], 18, '1.0.0 and 2 more'],
    [
      'counts the others with as many digits as it has',
      Array.from({ length: 120 }, (_, at) => `v${at}`),
      20,
      'v0, v1 and 118 more',
    ],
    ['names each item once', ['1.0', '1.0', ' 1.0 '], 20, '1.0'],
    ['leaves out empty items', ['', ' ', '1.0'], 20, '1.0'],
    ['is one line', ['a\nb'], 20, 'a b'],
    ['has a first item that is too long alone', ['abcdefghij'], 5, 'abcd…'],
    ['has a first item that is too long beside the others', ['abcdefghij', 'klmnop'], 15, 'abc… and 1 more'],
    ['has no room', ['abcdefghij', 'x'], 5, ''],
    ['is empty', [], 5, ''],
  ])('%s', (_name, items, limit, text) => {
    expect(joinItems(items, limit)).toBe(text)
  })

  test('is never longer than the limit', () => {
    const items = fc.array(fc.string({ unit: anyCharacter, maxLength: 12 }), { maxLength: 30 })
    fc.assert(
      fc.property(items, fc.integer({ min: 0, max: 60 }), (names, limit) => {
        const text = joinItems(names, limit)
        expect(length(text)).toBeLessThanOrEqual(limit)
        expect(text.isWellFormed()).toBe(true)
      }),
    )
  })

  test('names an item whole or not at all, where the first has room', () => {
    const versions = fc.uniqueArray(fc.stringMatching(/^\d{1,3}\.\d{1,3}$/), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(versions, fc.integer({ min: 20, max: 120 }), (names, limit) => {
        const text = joinItems(names, limit)
        const [shown = '', others] = text.split(' and ')
        const items = shown.split(', ')
        expect(items).toEqual(names.slice(0, items.length))
        expect(others ?? '0 more').toBe(`${names.length - items.length} more`)
      }),
    )
  })
})
