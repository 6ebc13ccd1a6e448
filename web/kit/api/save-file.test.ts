import { expect, it } from 'vitest'
import { fileNameIn } from './save-file.ts'

it.each([
  ['attachment; filename="pump.openvex.json"', 'pump.openvex.json'],
  ['attachment', undefined],
  [null, undefined],
])('the file name in %j is %j', (disposition, name) => {
  expect(fileNameIn(disposition)).toBe(name)
})
