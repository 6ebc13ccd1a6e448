import { describe, expect, it } from 'vitest'
import { hiddenCharacterProblem, visibleText } from './hidden-characters.ts'

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

it.each(['Pump 2', 'Насос', 'مضخة', 'Ärger – “x”', '泵'])('%s is shown as it is, and allowed', (text) => {
  expect(visibleText(text)).toBe(text)
  expect(hiddenCharacterProblem(text)).toBeUndefined()
})
