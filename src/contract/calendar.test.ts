import { describe, expect, it } from 'vitest'
import { existingTime, isDay, isStorable } from './calendar.ts'

describe('a day of the calendar', () => {
  it.each(['0001-01-01', '1999-12-31', '2024-02-29', '2026-02-28', '9999-12-31'])('%s', (text) =>
    expect(isDay(text)).toBe(true),
  )

  it.each([
    '',
    '0000-01-01',
    '0000-12-31',
    '2026-02-29',
    '2026-02-30',
    '2026-00-01',
    '2026-13-01',
    '2026-01-00',
    '2026-1-1',
    '+010000-01-01',
    '-000001-01-01',
    '10000-01-01',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '２０２６-01-01',
  ])('not %j', (text) => expect(isDay(text)).toBe(false))
})

describe('a time that exists', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:00Z', '2026-01-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.123456789+02:00', '2026-01-31T08:00:00.123Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s', (text, written) => expect(existingTime(text)?.toISOString()).toBe(written))

  it.each([
    '',
    'now',
    'infinity',
    '0000-06-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '2026-02-30T10:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T10:00:60Z',
    '+010000-01-01T00:00:00Z',
  ])('not %j', (text) => expect(existingTime(text)).toBeNull())

  it('is stored only where both sides write it alike', () => {
    expect(isStorable(new Date(Number.NaN))).toBe(false)
    expect(isStorable(new Date(8.64e15))).toBe(false)
    expect(isStorable(new Date(-8.64e15))).toBe(false)
    expect(isStorable(new Date(0))).toBe(true)
  })
})
