import { expect, it } from 'vitest'
import { componentSpellings } from './component-spellings.ts'

it.each([
  ['log4j-core', ['log4j-core']],
  [
    'org.apache.logging.log4j:log4j-core',
    ['org.apache.logging.log4j:log4j-core', 'org.apache.logging.log4j/log4j-core'],
  ],
  ['a.b:c:1.0', ['a.b:c:1.0', 'a.b/c@1.0']],
  ['@babel/core', ['@babel/core', '%40babel/core']],
  ['pkg:npm/@babel/core@7.0.0', ['pkg:npm/@babel/core@7.0.0', 'pkg:npm/%40babel/core@7.0.0']],
  ['pkg:maven', ['pkg:maven']],
  ['cpe:2.3', ['cpe:2.3']],
  ['sha256:abc', ['sha256:abc']],
])('%s is looked for as %j', (text, expected) => {
  expect(componentSpellings(text)).toEqual(expected)
})
