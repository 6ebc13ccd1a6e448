import { expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'

it.each([
  ['', '', 0],
  ['migrate', 'migrate', 0],
  ['migrat', 'migrate', 1],
  ['migraet', 'migrate', 1],
  ['srve', 'serve', 1],
  ['', 'work', 4],
  ['work', '', 4],
  ['keys rotat', 'keys rotate', 1],
  ['kitten', 'sitting', 3],
])('%j is %j but for so many letters', (from, to, distance) => {
  expect(editDistance(from, to)).toBe(distance)
})
