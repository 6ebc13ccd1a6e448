import { describe, expect, it } from 'vitest'
import { encodedText, looksEncoded } from './header-text.ts'

describe('looksEncoded', () => {
  it.each(['=?utf-8?q?Pay=20now?=', 'Re: =?UTF-8?B?UGF5?=', '=?x?Q?a', '(=?iso-8859-1?q?a?=)'])(
    '%s',
    (text) => {
      expect(looksEncoded(text)).toBe(true)
    },
  )
  it.each(['', 'a == ? b', 'Incident opened: Bücher', 'x=?y'])('not %s', (text) => {
    expect(looksEncoded(text)).toBe(false)
  })
})

it('encodedText gives the same text again, in words that a header may have', () => {
  const text = `=?utf-8?q?Pay=20now?= ${'Bücher 🦊 '.repeat(20)}`
  const words = encodedText(text).split(' ')
  expect(words.every((word) => word.length <= 75)).toBe(true)
  const decoded = words.map((word) => Buffer.from(word.slice('=?UTF-8?B?'.length, -2), 'base64').toString())
  expect(decoded.join('')).toBe(text)
})
