import { expect, it } from 'vitest'
import { readLogPosition, writeLogPosition } from './reads.ts'

it.each([
  ['1:0/0', 1, '0/0'],
  ['23:16/B374D848', 23, '16/B374D848'],
  ['16/B374D848', 1, '16/B374D848'],
  ['999999999:FFFFFFFF/FFFFFFFF', 999_999_999, 'FFFFFFFF/FFFFFFFF'],
])('%s is a place in the log', (text, timeline, lsn) => {
  const position = readLogPosition(text)
  expect(position).toEqual({ timeline, lsn })
  expect(position === null ? null : readLogPosition(writeLogPosition(position))).toEqual(position)
})

it.each([
  undefined,
  '',
  '16',
  '16/',
  '/16',
  '16/b374d848',
  '16/123456789',
  '16/G',
  "0/0'",
  '0/0\n',
  '0/0 ',
  ':0/0',
  '0:0/0',
  '-1:0/0',
  'A:0/0',
  '1234567890:0/0',
  '1:2:0/0',
])('%j is not a place in the log', (text) => {
  expect(readLogPosition(text)).toBeNull()
})
