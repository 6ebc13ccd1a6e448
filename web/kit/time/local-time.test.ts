import { expect, test } from 'vitest'
import { instantOf, localTime } from './local-time.ts'

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

test('an instant is shown as the local time that leads back to it', () => {
  expect(localTime('2026-11-02T08:00:00.000Z', 'Europe/Oslo')).toBe('2026-11-02T09:00:00')
  expect(instantOf(localTime('2026-06-30T23:59:00.000Z', 'Asia/Tokyo'), 'Asia/Tokyo')).toBe(
    '2026-06-30T23:59:00.000Z',
  )
})
