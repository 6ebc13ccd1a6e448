import { expect, it } from 'vitest'
import { commonLineEnds, typedLine, typedText } from './typed-text.ts'

const pasted = 'one\r\ntwo\rthree\vfour\ffive\u0085six\tse\u0002v\u009ben '

it('line ends of all systems and programs become one, and controls that nobody sees go', () => {
  expect(commonLineEnds(pasted)).toBe('one\ntwo\nthree\nfour\nfive\nsix\tse\u0002v\u009ben ')
  expect(typedText(pasted)).toBe('one\ntwo\nthree\nfour\nfive\nsix\tseven ')
  expect(typedLine(pasted)).toBe('one two three four five six seven ')
})

it('everything that is seen stays', () => {
  const text = '  « Ärger » 😀\u200D\u00AD\n\n\tعربي\u2028 '
  expect(typedText(text)).toBe(text)
})
