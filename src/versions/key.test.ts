import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareDigits } from './compare.ts'
import { KeyWriter } from './key.ts'

function numberKey(digits: string): Uint8Array {
  return new KeyWriter().number(digits).finish()
}

describe('KeyWriter', () => {
  it('writes numbers of any length in their order', () => {
    const digits = fc
      .tuple(fc.constantFrom('', '0', '00'), fc.constantFrom(1, 2, 9, 59, 60, 61, 62, 255, 256, 500))
      .chain(([zeros, length]) =>
        fc
          .array(fc.constantFrom('0', '1', '9'), { minLength: length, maxLength: length })
          .map((list) => zeros + list.join('')),
      )
    fc.assert(
      fc.property(digits, digits, (a, b) => {
        expect(Buffer.compare(numberKey(a), numberKey(b))).toBe(compareDigits(a, b))
      }),
    )
  })

  it.each([
    ['0', '40'],
    ['', '40'],
    ['007', '4137'],
    ['10', '423130'],
  ])('writes the number %s as %s', (digits, hex) => {
    expect(Buffer.from(numberKey(digits)).toString('hex')).toBe(hex)
  })

  it('ends a text below any character', () => {
    const short = new KeyWriter().text('a').mark(0xff).finish()
    const long = new KeyWriter().text('a!').finish()
    expect(Buffer.compare(short, long)).toBe(-1)
  })
})
