import { expect, it } from 'vitest'
import { shortenedPurl } from './shortened-purl.ts'

it.each<[purl: string, shortened: string]>([
  ['pkg:npm/left@1', 'pkg:npm/left@1'],
  ['pkg:npm/left@1?arch=x', 'pkg:npm/left@1?arch=x'],
  ['pkg:npm/left@1?arch=x&url=%2F%2F', 'pkg:npm/left@1?arch=x'],
  ['pkg:npm/left@1?arch=x&u=%2F#sub', 'pkg:npm/left@1?arch=x'],
  ['pkg:npm/left@1?url=%2F%2F%2F%2F', 'pkg:npm/left@1'],
  ['pkg:npm/left@1#a/long/subpath', 'pkg:npm/left@1'],
  ['pkg:npm/a-name-that-is-too-long@1', 'pkg:npm/a-name-that-is-too-long@1'],
])('of 24 characters: %s', (purl, shortened) => {
  expect(shortenedPurl(purl, 24)).toBe(shortened)
})
