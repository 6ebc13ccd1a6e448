import { describe, expect, it } from 'vitest'
import {
  hiddenCharacterProblem,
  looksEmpty,
  visibleLines,
  visibleText,
  withoutHidden,
} from './hidden-characters.ts'

describe.each([
  ['turned direction', 'a\u202Egpj', 'a[U+202E]gpj', 'U+202E'],
  ['zero width', 'ad\u200Bmin', 'ad[U+200B]min', 'U+200B'],
  ['a line end', 'a\nb', 'a[U+000A]b', 'U+000A'],
  ['a line separator', 'a\u2028b', 'a[U+2028]b', 'U+2028'],
  ['a tag beyond the first plane', 'a\u{E0041}b', 'a[U+E0041]b', 'U+E0041'],
])('%s', (_what, text, visible, code) => {
  it('is shown', () => {
    expect(visibleText(text)).toBe(visible)
  })
  it('is refused in a name', () => {
    expect(hiddenCharacterProblem(text)).toBe(`It contains an invisible character (${code}).`)
  })
})

it.each([
  ...['a\u200Db', '\u200D', '😀\u200Da', 'a\u200D😀', 'مضخة\u200C', 'م\u200Ca', '\u200Cب', 'क\u200D'],
])('a joiner that joins nothing is shown: %j', (text) => {
  expect(visibleText(text)).toMatch(/\[U\+200[CD]\]/)
  expect(hiddenCharacterProblem(text)).toMatch(/U\+200[CD]/)
})

it.each([
  ...['Pump 2', 'Насос', 'مضخة', 'Ärger – “x”', '泵'],
  // held together by U+200D and U+200C, which are invisible alone
  ...['👨\u200D👩\u200D👧 on call', '👩🏽\u200D💻', '🏳️\u200D🌈', 'می\u200Cخواهم', 'क्\u200Dष'],
])('%s is shown as it is, and allowed', (text) => {
  expect(visibleText(text)).toBe(text)
  expect(hiddenCharacterProblem(text)).toBeUndefined()
})

it('keeps the lines of what has several, and shows what hides in them', () => {
  expect(visibleLines('one\r\n\r\n\ttwo\nthree \u202Egpj')).toBe('one\n\n two\nthree [U+202E]gpj')
})

it.each([
  ['', true],
  [' \u00a0\t\n', true],
  ['\u200b\u200d\ufeff\u00ad', true],
  ['\u3164\uffa0\u115f\u2800\ufe0f\u{e0041}', true],
  ['\u200ba', false],
  ['क', false],
  ['❤\ufe0f', false],
  ['-', false],
])('%j looks empty: %s', (text, expected) => {
  expect(looksEmpty(text)).toBe(expected)
})

it.each([
  ['a\u202egpj\u202c', 'agpj'],
  ['one\r\n\ttwo\u2028three', 'one\r\n\ttwo\nthree'],
  ['👩\u200d💻 می\u200cخواهم क्\u200dष', '👩\u200d💻 می\u200cخواهم क्\u200dष'],
  ['\u200b\ufeffplain\u00ad', 'plain'],
])('%j is published as %j', (text, expected) => {
  expect(withoutHidden(text)).toBe(expected)
})
