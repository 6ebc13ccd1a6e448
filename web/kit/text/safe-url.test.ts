import { describe, expect, it } from 'vitest'
import { safeUrl, shownUrl } from './safe-url.ts'

describe('safeUrl', () => {
  it.each([
    ['https://ci.example/run/4711', true],
    ['http://ci.example', true],
    ['HTTPS://CI.EXAMPLE', true],
    ['javascript:alert(1)', false],
    [' javascript:alert(1)', false],
    ['java\nscript:alert(1)', false],
    ['data:text/html,hello', false],
    ['vbscript:x', false],
    ['//ci.example/run', false],
    ['/run', false],
    ['https:evil', false],
    ['https:///evil.example', false],
    ['', false],
    [null, false],
  ])('%j is a link: %s', (address, isLink) => {
    expect(safeUrl(address) !== undefined).toBe(isLink)
  })
})

it('shows an address without its scheme', () => {
  expect(shownUrl('https://ci.example/run/')).toBe('ci.example/run')
})
