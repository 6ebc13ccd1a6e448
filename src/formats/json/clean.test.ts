import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { cleanOptional, cleanText, headerText } from './clean.ts'

describe('cleaning text', () => {
  it.each([
    ['openssl', 20, 'openssl'],
    ['  openssl\t', 20, 'openssl'],
    ['a\u0000b', 20, 'ab'],
    ['a\nb\u007f\u0085c', 20, 'abc'],
    ['a\ud83db\ude00', 20, 'ab'],
    ['\ud83d\u0000\ude00', 20, ''],
    ['caf\u00e9 \ud83d\ude00', 20, 'caf\u00e9 \ud83d\ude00'],
    ['abcdef', 3, 'abc'],
    ['\ud83d\ude00'.repeat(5), 3, '\ud83d\ude00'.repeat(3)],
    ['ab cd', 3, 'ab'],
    ['', 3, ''],
  ])('%j, at most %i, becomes %j', (text, max, expected) => {
    expect(cleanText(text, max)).toBe(expected)
  })

  it('nothing left is absent', () => {
    expect([null, undefined, '', ' \u0000'].map((text) => cleanOptional(text, 10))).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect(cleanOptional('1.0', 10)).toBe('1.0')
  })

  it('of any text keeps at most the code points asked for, all of them storable', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.nat(20), (text, max) => {
        const clean = cleanText(`${text}\ud800`, max)
        expect(Array.from(clean).length).toBeLessThanOrEqual(max)
        expect(clean).not.toMatch(/[\p{Cc}\p{Cs}]/u)
        expect(cleanText(clean, max)).toBe(clean)
      }),
    )
  })
})

describe('header values', () => {
  const sent = (text: string) => Buffer.from(text, 'utf8').toString('latin1')
  it.each([
    ['absent', undefined, null],
    ['blank', '  ', null],
    ['nothing that is seen', sent(' \u200b\u202e\ufeff '), null],
    ['letters that fill and look like nothing', sent('\u3164\u2800\ufe0f'), null],
    ['something seen beside it', sent('\u200b1'), '\u200b1'],
    ['an emoji of several parts', sent('\u{1f468}\u200d\u{1f469}'), '\u{1f468}\u200d\u{1f469}'],
    ['ASCII', ' v1.2 ', 'v1.2'],
    ['UTF-8', sent('caf\u00e9 \ud83d\ude00'), 'caf\u00e9 \ud83d\ude00'],
    ['ISO-8859-1', 'caf\u00e9', 'caf\u00e9'],
    ['control characters', 'a\tb', 'ab'],
    ['too long', 'x'.repeat(101), 'x'.repeat(100)],
    ['80 emoji are 80 characters', sent('\ud83d\ude00'.repeat(80)), '\ud83d\ude00'.repeat(80)],
  ])('%s', (_name, value, expected) => {
    expect(headerText(value, 100)).toBe(expected)
  })
})
