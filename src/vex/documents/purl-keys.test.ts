import { expect, it } from 'vitest'
import { PurlKeys } from './purl-keys.ts'

it.each([
  ['pkg:npm/%40angular/core@1', 'npm/@angular/core'],
  ['pkg:npm/%40angular%2Fcore@1', 'npm/@angular/core'],
  ['pkg:PyPI/Foo_Bar@1?x=1#y', 'pypi/foo-bar'],
  ['pkg:maven/org.acme/Lib', 'maven/org.acme/Lib'],
  ['nothing', null],
  [`pkg:npm/${'a'.repeat(1_500)}`, null],
  [undefined, null],
])('%s has the key %s', (purl, key) => {
  const keys = new PurlKeys()
  expect([keys.of(purl), keys.of(purl)]).toEqual([key, key])
})
