import { expect, it } from 'vitest'
import { BodyPace, paceRule } from './body-pace.ts'

const kilobyte = 1024

/** The second at which a body is given up whose size at each second is this; null: never within a minute. */
function givenUpAt(sizeAt: (second: number) => number): number | null {
  const pace = new BodyPace(paceRule, 0)
  for (let ms = paceRule.checkEveryMs; ms <= 60_000; ms += paceRule.checkEveryMs) {
    if (pace.isTooSlow(sizeAt(ms / 1000), ms)) return ms / 1000
  }
  return null
}

it.each([
  ['nothing comes', () => 0, 10],
  ['a byte a second', (second: number) => second, 10],
  ['3.9 kB a second', (second: number) => second * 3.9 * kilobyte, 10],
  ['4 kB a second', (second: number) => second * 4 * kilobyte, null],
  ['almost all at once, then nothing', () => 4_000 * kilobyte, 12.5],
  ['slow for nine seconds, then faster', (second: number) => Math.max(0, second - 9) * 64 * kilobyte, null],
  ['stalls of eight seconds', (second: number) => Math.floor(second / 8) * 48 * kilobyte, null],
  [
    'a minute of 8 kB, stalling from the thirtieth second',
    (second: number) => Math.min(second, 30) * 8 * kilobyte,
    37.5,
  ],
])('%s', (_name, sizeAt, expected) => {
  expect(givenUpAt(sizeAt)).toBe(expected)
})

it('a process that could not look for a while judges by the time that has passed', () => {
  const pace = new BodyPace(paceRule, 0)
  expect(pace.isTooSlow(1, 2_500)).toBe(false)
  expect(pace.isTooSlow(200 * kilobyte, 30_000)).toBe(false)
  expect(pace.isTooSlow(200 * kilobyte, 32_500)).toBe(false)
  expect(pace.isTooSlow(200 * kilobyte, 40_000)).toBe(true)
})
