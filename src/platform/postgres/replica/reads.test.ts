import { expect, it } from 'vitest'
import { readLogPosition } from './reads.ts'

it.each(['0/0', '16/B374D848', 'FFFFFFFF/FFFFFFFF'])('%s is a place in the log', (text) => {
  expect(readLogPosition(text)).toBe(text)
})

it.each([undefined, '', '16', '16/', '/16', '16/b374d848', '16/123456789', '16/G', "0/0'", '0/0\n', '0/0 '])(
  '%j is not a place in the log',
  (text) => {
    expect(readLogPosition(text)).toBeNull()
  },
)
