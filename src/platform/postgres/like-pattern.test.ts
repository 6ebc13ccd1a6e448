import { expect, test } from 'vitest'
import { containing } from './like-pattern.ts'

test.each([
  ['openssl', '%openssl%'],
  ['100%', '%100\\%%'],
  ['lib_a_b', '%lib\\_a\\_b%'],
  ['C:\\pump', '%C:\\\\pump%'],
  ['\\%_', '%\\\\\\%\\_%'],
  ['.*[a-z]$&', '%.*[a-z]$&%'],
  ['', '%%'],
])('%j is in %j', (text, pattern) => {
  expect(containing(text)).toBe(pattern)
})
