import { expect, it } from 'vitest'
import { minuteMs } from '../contract/durations.ts'
import { bytesInWords, count, counted, distance } from './words.ts'

const now = new Date('2026-11-22T12:00:00Z')

it.each([
  [0, 'just now'],
  [-0.5, 'just now'],
  [0.5, 'in less than a minute'],
  [-1, '1 min ago'],
  [59.9, 'in 59 min'],
  [-60, '1 h ago'],
  [-192, '3 h 12 min ago'],
  [-11 * 60, '11 h ago'],
  [47 * 60, 'in 47 h'],
  [-48 * 60, '2 days ago'],
  [-1500 * 24 * 60, '1\u00a0500 days ago'],
])('%d minutes from now is %s', (minutes, words) => {
  expect(distance(new Date(now.getTime() + minutes * minuteMs), now)).toBe(words)
})

it.each([
  [0, '0\u00a0bytes'],
  [1, '1\u00a0byte'],
  [999, '999\u00a0bytes'],
  [1000, '1.0\u00a0kB'],
  [9_940, '9.9\u00a0kB'],
  [12_400, '12\u00a0kB'],
  [999_949, '1\u00a0000\u00a0kB'],
  [999_950, '1.0\u00a0MB'],
  [2_500_000_000, '2.5\u00a0GB'],
  [7_000_000_000_000_000, '7\u00a0000\u00a0TB'],
])('%d bytes are %s', (bytes, words) => {
  expect(bytesInWords(bytes)).toBe(words)
})

it('numbers are in groups of three, with a word in one number or many', () => {
  expect([count(1234567), count(123), counted(1, 'job'), counted(1284, 'job')]).toEqual([
    '1\u00a0234\u00a0567',
    '123',
    '1\u00a0job',
    '1\u00a0284\u00a0jobs',
  ])
})
