import { describe, expect, it } from 'vitest'
import { readVers } from './vers.ts'

describe('a range of the vers specification', () => {
  it.each([
    ['vers:npm/*', '1.0.0', true],
    ['vers:npm/1.0.0', '1.0.0', true],
    ['vers:npm/1.0.0', '1.0.1', false],
    ['vers:npm/=1.0.0|=2.0.0', '2.0.0', true],
    ['vers:npm/>=1.0.0|<2.0.0', '1.5.0', true],
    ['vers:npm/>=1.0.0|<2.0.0', '2.0.0', false],
    ['vers:npm/<2.0.0|>=1.0.0', '0.9.0', false],
    ['vers:npm/<1.0.0|>=2.0.0', '0.5.0', true],
    ['vers:npm/<1.0.0|>=2.0.0', '1.5.0', false],
    ['vers:npm/<1.0.0|>=2.0.0', '2.0.0', true],
    ['vers:npm/>=3.0.0|<4.0.0|>=1.0.0|<2.0.0', '1.5.0', true],
    ['vers:npm/>=3.0.0|<4.0.0|>=1.0.0|<2.0.0', '2.5.0', false],
    ['vers:npm/>=2.0.0|<=2.0.0', '2.0.0', true],
    ['vers:npm/>=1.0.0|!=1.5.0|<2.0.0', '1.5.0', false],
    ['vers:npm/>=1.0.0|!=1.5.0|<2.0.0', '1.5.1', true],
    ['VERS:NPM/ >= 1.0.0 | < 2.0.0 ', '1.0.0', true],
    ['vers:pypi/1.0', '1.0.0', true],
    ['vers:pypi/<2.0', '1.0rc1', true],
    ['vers:pypi/1.0%2Bcu118', '1.0+cu118', true],
    ['vers:deb/<1:2.0-1', '1:1.9-3', true],
    ['vers:semver/>1.0.0-rc.1', '1.0.0', true],
    ['vers:npm/>=1.0.0', 'no version', false],
  ])('%s and %s: %s', (range, version, isIn) => {
    expect(readVers(range)?.(version)).toBe(isIn)
  })

  it.each([
    '1.0.0',
    'vers:npm',
    'vers:npm/',
    'vers:nobody-knows/1.0.0',
    'vers:npm/>=',
    'vers:npm/>=1.0.0|*',
    'vers:npm/>=%zz',
    'vers:npm/>=3.0.0|<2.0.0',
    'vers:npm/>=3.0.0|<=2.0.0|>=4.0.0',
    'vers:npm/>=2.0.0|<2.0.0',
    'vers:npm/>2.0.0|<=2.0.0',
  ])('cannot be read from %s', (text) => {
    expect(readVers(text)).toBeUndefined()
  })
})
