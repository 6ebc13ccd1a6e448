import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addPeriod, type Period } from './count-time.ts'

const zone = 'Europe/Oslo'
const hours = (amount: number): Period => ({ amount, unit: 'hours' })
const days = (amount: number): Period => ({ amount, unit: 'days' })
const month: Period = { amount: 1, unit: 'months' }

const cases: [name: string, anchor: string, period: Period, end: string][] = [
  ['24 hours across the end of summer time', '2026-10-24T23:30:00Z', hours(24), '2026-10-25T23:30:00Z'],
  ['72 hours across the end of summer time', '2026-10-24T23:30:00Z', hours(72), '2026-10-27T23:30:00Z'],
  ['14 days across the end of summer time', '2026-10-20T08:00:00Z', days(14), '2026-11-03T09:00:00Z'],
  ['14 days across the start of summer time', '2027-03-20T09:00:00Z', days(14), '2027-04-03T08:00:00Z'],
  ['a month from the 31st', '2027-01-31T09:00:00Z', month, '2027-02-28T09:00:00Z'],
  [
    'a month, where the local date is another than in UTC',
    '2027-01-30T23:30:00Z',
    month,
    '2027-02-27T23:30:00Z',
  ],
  ['a month in a leap year', '2028-01-31T09:00:00Z', month, '2028-02-29T09:00:00Z'],
  ['a month into a local time that does not exist', '2027-02-28T01:30:00Z', month, '2027-03-28T00:30:00Z'],
  ['a month into a local time that exists twice', '2026-09-25T00:30:00Z', month, '2026-10-25T00:30:00Z'],
  ['a month from 31 August', '2026-08-31T14:00:00Z', month, '2026-09-30T14:00:00Z'],
]

test.each(cases)('%s', (_name, anchor, period, end) => {
  expect(addPeriod(new Date(anchor), period, zone)).toEqual(new Date(end))
})

const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
const zones = fc.constantFrom(
  'Europe/Oslo',
  'Europe/London',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'UTC',
)

test('milliseconds are kept, and a period ends after it begins', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 1, max: 90 }), zones, (anchor, amount, timeZone) => {
      for (const unit of ['hours', 'days', 'months'] as const) {
        const end = addPeriod(anchor, { amount, unit }, timeZone)
        expect(end.getTime() % 1000).toBe(anchor.getTime() % 1000)
        expect(end.getTime()).toBeGreaterThan(anchor.getTime())
      }
    }),
  )
})

test('a month is never longer than the month is in days, by more than the step of a clock change', () => {
  fc.assert(
    fc.property(instant, zones, (anchor, timeZone) => {
      const elapsed = addPeriod(anchor, month, timeZone).getTime() - anchor.getTime()
      expect(elapsed).toBeLessThanOrEqual((31 * 24 + 1) * 3_600_000)
      expect(elapsed).toBeGreaterThanOrEqual((28 * 24 - 1) * 3_600_000)
    }),
  )
})
