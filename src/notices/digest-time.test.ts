import { describe, expect, it } from 'vitest'
import { lastDigestTime } from './digest-time.ts'

describe('the last 08:00 of a zone', () => {
  it.each([
    ['UTC', '2026-06-15T08:00:00.000Z', '2026-06-15', '2026-06-15T08:00:00.000Z'],
    ['UTC', '2026-06-15T07:59:59.999Z', '2026-06-14', '2026-06-14T08:00:00.000Z'],
    ['Europe/Oslo', '2026-06-15T06:00:00.000Z', '2026-06-15', '2026-06-15T06:00:00.000Z'],
    ['Europe/Oslo', '2026-06-15T05:59:00.000Z', '2026-06-14', '2026-06-14T06:00:00.000Z'],
    // clocks go forward in the night to 29 March: 23 hours between two digests
    ['Europe/Oslo', '2026-03-28T20:00:00.000Z', '2026-03-28', '2026-03-28T07:00:00.000Z'],
    ['Europe/Oslo', '2026-03-29T06:00:00.000Z', '2026-03-29', '2026-03-29T06:00:00.000Z'],
    ['Europe/Oslo', '2026-03-29T05:59:59.000Z', '2026-03-28', '2026-03-28T07:00:00.000Z'],
    // and back in the night to 25 October: 25 hours
    ['Europe/Oslo', '2026-10-25T06:59:59.000Z', '2026-10-24', '2026-10-24T06:00:00.000Z'],
    ['Europe/Oslo', '2026-10-25T07:00:00.000Z', '2026-10-25', '2026-10-25T07:00:00.000Z'],
    ['America/New_York', '2026-03-08T12:00:00.000Z', '2026-03-08', '2026-03-08T12:00:00.000Z'],
    ['America/New_York', '2026-11-01T12:30:00.000Z', '2026-10-31', '2026-10-31T12:00:00.000Z'],
    // half and quarter hours, and zones on both sides of the date line
    ['Asia/Kolkata', '2026-06-15T02:30:00.000Z', '2026-06-15', '2026-06-15T02:30:00.000Z'],
    ['Asia/Kathmandu', '2026-06-15T02:14:00.000Z', '2026-06-14', '2026-06-14T02:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-06-14T18:00:00.000Z', '2026-06-15', '2026-06-14T18:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-06-15T18:59:00.000Z', '2026-06-14', '2026-06-14T19:00:00.000Z'],
    // half an hour of summer time
    ['Australia/Lord_Howe', '2026-04-04T21:30:00.000Z', '2026-04-05', '2026-04-04T21:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-03T21:00:00.000Z', '2026-10-04', '2026-10-03T21:00:00.000Z'],
  ])('%s at %s is of %s', (zone, now, day, at) => {
    expect(lastDigestTime(new Date(now), zone)).toEqual({ day, at: new Date(at) })
  })

  it('comes once for each day of a year, in order', () => {
    for (const zone of ['Europe/Oslo', 'America/Sao_Paulo', 'Africa/Cairo', 'Pacific/Chatham']) {
      const days: string[] = []
      const start = Date.parse('2026-01-02T00:00:00Z')
      for (let minutes = 0; minutes < 364 * 24 * 60; minutes += 60) {
        const { day, at } = lastDigestTime(new Date(start + minutes * 60_000), zone)
        expect(at.getTime()).toBeLessThanOrEqual(start + minutes * 60_000)
        if (days.at(-1) !== day) days.push(day)
      }
      expect(new Set(days).size, zone).toBe(days.length)
      expect([...days].sort(), zone).toEqual(days)
      expect(days.length).toBeGreaterThanOrEqual(364)
    }
  })
})
