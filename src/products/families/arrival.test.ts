import { expect, it } from 'vitest'
import { arrivalAfter } from './arrival.ts'

const now = new Date('2026-01-01T12:00:00.000Z')

it.each([
  ['the first of a family', null, '2026-01-01T12:00:00.000Z'],
  ['after an earlier one', '2026-01-01T11:59:59.999Z', '2026-01-01T12:00:00.000Z'],
  ['in the same millisecond', '2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00.001Z'],
  ['after one that a faster clock stamped', '2026-01-01T12:00:00.250Z', '2026-01-01T12:00:00.251Z'],
  ['after the clock was set back', '2026-03-01T12:00:00.000Z', '2026-03-01T12:00:00.001Z'],
])('a document arrives: %s', (_name, last, expected) => {
  expect(arrivalAfter(last === null ? null : new Date(last), now).toISOString()).toBe(expected)
})
