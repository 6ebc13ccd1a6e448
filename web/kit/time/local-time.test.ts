import { expect, test } from 'vitest'
import {
  afterTyping,
  instantAfter,
  instantOf,
  isSkipped,
  localTime,
  secondTime,
  timesOf,
} from './local-time.ts'

test.each([
  ['2026-11-02T09:00', 'Europe/Oslo', '2026-11-02T08:00:00.000Z'],
  ['2026-07-02T09:00', 'Europe/Oslo', '2026-07-02T07:00:00.000Z'],
  ['2026-11-02T09:00:07', 'Europe/Oslo', '2026-11-02T08:00:07.000Z'],
  // an hour that comes twice is the earlier one
  ['2026-10-25T02:30', 'Europe/Oslo', '2026-10-25T00:30:00.000Z'],
  // an hour that is skipped
  ['2027-03-28T02:30', 'Europe/Oslo', '2027-03-28T00:30:00.000Z'],
  ['2026-11-02T09:00', 'America/Los_Angeles', '2026-11-02T17:00:00.000Z'],
  ['2026-11-02T09:00', 'UTC', '2026-11-02T09:00:00.000Z'],
  ['', 'UTC', undefined],
  ['tomorrow', 'UTC', undefined],
])('%s in %s is %s', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant)
})

test('a time that was left as it was keeps its milliseconds', () => {
  const shown = { before: '2026-10-25T01:30:07.123Z', timeZone: 'Europe/Oslo' }
  expect(instantAfter(localTime(shown.before, shown.timeZone), shown)).toBe(shown.before)
  // the first of the two hours
  expect(instantAfter('2026-10-25T02:30:07', shown)).toBe('2026-10-25T00:30:07.000Z')
  expect(instantAfter('', shown)).toBeUndefined()
})

test('an instant is shown as the local time that leads back to it', () => {
  expect(localTime('2026-11-02T08:00:00.000Z', 'Europe/Oslo')).toBe('2026-11-02T09:00:00')
  expect(instantOf(localTime('2026-06-30T23:59:00.000Z', 'Asia/Tokyo'), 'Asia/Tokyo')).toBe(
    '2026-06-30T23:59:00.000Z',
  )
})

test.each([
  ['2026-10-25T00:30:00.000Z', 'Europe/Oslo', '2026-10-25T02:30:00'],
  ['2026-10-25T01:30:00.000Z', 'Europe/Oslo', secondTime('2026-10-25T02:30:00')],
  ['2026-11-01T04:31:07.000Z', 'America/St_Johns', secondTime('2026-11-01T01:01:07')],
  // half an hour back
  ['2026-04-04T15:10:00.000Z', 'Australia/Lord_Howe', secondTime('2026-04-05T01:40:00')],
  ['2026-10-25T02:30:00.000Z', 'Europe/Oslo', '2026-10-25T03:30:00'],
  ['2026-10-25T01:30:00.000Z', 'Asia/Kathmandu', '2026-10-25T07:15:00'],
])(
  '%s in %s is shown as a time that leads back to it, also in an hour that comes twice',
  (at, zone, local) => {
    expect(localTime(at, zone)).toBe(local)
    expect(instantOf(local, zone)).toBe(at)
  },
)

test('both instants of a time that comes twice are offered, and of another one none', () => {
  expect(timesOf('2026-10-25T02:30', 'Europe/Oslo')).toEqual([
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ])
  expect(timesOf(secondTime('2026-10-25T02:30'), 'Europe/Oslo')).toHaveLength(2)
  expect(timesOf('2026-10-25T03:00', 'Europe/Oslo')).toEqual(['2026-10-25T02:00:00.000Z'])
  expect(timesOf('2027-03-28T02:30', 'Europe/Oslo')).toEqual([])
  expect(timesOf('', 'Europe/Oslo')).toEqual([])
})

test.each([
  ['2027-03-28T02:00', 'Europe/Berlin', true],
  ['2027-03-28T02:59:59', 'Europe/Berlin', true],
  ['2027-03-28T01:59:59', 'Europe/Berlin', false],
  ['2027-03-28T03:00', 'Europe/Berlin', false],
  ['2026-10-25T02:30', 'Europe/Berlin', false],
  ['2027-03-14T02:30', 'America/St_Johns', true],
  ['2027-03-14T03:00', 'America/St_Johns', false],
  ['2027-03-28T02:30', 'Asia/Kolkata', false],
  ['', 'Europe/Berlin', false],
])('%s in %s is skipped by the clocks: %s', (local, zone, skipped) => {
  expect(isSkipped(local, zone)).toBe(skipped)
})

test('whoever types minutes stays in the second of two hours, and leaves it with another hour', () => {
  const second = secondTime('2026-10-25T02:30:00')
  expect(afterTyping('2026-10-25T02:31:00', { before: second, timeZone: 'Europe/Oslo' })).toBe(
    secondTime('2026-10-25T02:31:00'),
  )
  expect(afterTyping('2026-10-25T03:31:00', { before: second, timeZone: 'Europe/Oslo' })).toBe(
    '2026-10-25T03:31:00',
  )
  expect(afterTyping('2026-10-25T02:31:00', { before: '2026-10-25T02:30:00', timeZone: 'Europe/Oslo' })).toBe(
    '2026-10-25T02:31:00',
  )
})
