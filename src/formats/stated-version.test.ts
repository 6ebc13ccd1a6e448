import { describe, expect, it } from 'vitest'
import { statedVersion } from './stated-version.ts'

const placeholders = [
  ...[
    '',
    ' ',
    'unknown',
    'UNKNOWN',
    'NOASSERTION',
    'NONE',
    'none',
    '*',
    'latest',
    'LATEST',
    'RELEASE',
    'n/a',
    'null',
  ],
  ...['undefined', 'unspecified', '(devel)', '(none)', '-', '?', 'HEAD'],
]

const ranges = [
  ...[
    '^1.2.3',
    '~1.2.3',
    '~> 1.2',
    '>=1.0,<2.0',
    '>1',
    '<= 2',
    '==1.0',
    '=1.0',
    '!=1.0',
    '1.0 - 2.0',
    '1.x',
    '1.2.X',
  ],
  ...[
    '1.*',
    '*.1',
    '1.2.+',
    '[1.0,2.0)',
    '(,1.0]',
    '^1 || ^2',
    '1 || 2',
    'vers:npm/1.0|2.0',
    '${project.version}',
    '{{version}}',
  ],
]

const versions = [
  ...[
    '1',
    '1.2.3',
    'v1.2.3',
    '0',
    '1.0.Final',
    '2:1.0~rc1-1+deb12u3',
    '1.0-1.el9',
    '5.1.16-r0',
    '1!2.0',
    'dev-main',
  ],
  ...[
    '2.8.123e',
    '20230101',
    '1.0.0+build',
    '7.x-1.0',
    'r1234',
    'a0b1c2d',
    '3.0.2-0ubuntu1~22.04',
    '1.0 beta',
  ],
]

describe('statedVersion', () => {
  it.each(placeholders)('%j is a placeholder', (text) => {
    expect(statedVersion(text)).toBe('')
  })

  it.each(ranges)('%j is a range', (text) => {
    expect(statedVersion(text)).toBe('')
  })

  it.each(versions)('%j is a version', (text) => {
    expect(statedVersion(text)).toBe(text)
  })

  it('trims, and reads a missing version as an empty one', () => {
    expect([statedVersion(' 1.0 '), statedVersion(null)]).toEqual(['1.0', ''])
  })
})
