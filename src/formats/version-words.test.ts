import { expect, test } from 'vitest'
import { boundsInWords, listedIn, rangeBeside, widerWords } from './version-words.ts'

test.each<[text: string, signs: string, isVague: boolean]>([
  ['All versions < V3.1.5', '< V3.1.5', false],
  ['all versions >= V2.0 < V3.0', '>= V2.0 < V3.0', false],
  ['prior to 2.0', '< 2.0', true],
  ['<=Harbor 2.7.2', '<= 2.7.2', true],
  ['stable: >= 3.1, < 3.1.1', '>= 3.1, < 3.1.1', true],
  ['Versions  before version 2.0', '< 2.0', true],
  ['up to and including 2.0', '<= 2.0', true],
  ['through 2.0', '<= 2.0', true],
  ['2.0 and earlier', '<= 2.0', true],
  ['v2.0 or prior versions', '<= v2.0', true],
  ['from 2.0 and later', '>= 2.0', true],
  ['9.x before 9.3.1', '>= 9, < 9.3.1', true],
  ['from 1.0 to 2.0', '>= 1.0, <= 2.0', true],
  ['1.0 - 2.0', '>= 1.0, <= 2.0', true],
  ['1.0 ~ 2.0', '>= 1.0, <= 2.0', true],
  ['1.0 -> 2.0', '>= 1.0, <= 2.0', true],
  ['1.x through 2.x', '>= 1, <= 2.x', true],
  ['before 2.x', '< 2', true],
  ['2.0 and all prior versions', '<= 2.0', true],
  ['2.0+', '>= 2.0', true],
  ['up to (excluding) 2.0', '< 2.0', true],
  ['up to (including) 2.0', '<= 2.0', true],
  ['before 2.0 (excluding)', '< 2.0', true],
  ['[1.0, 2.0)', '>= 1.0, < 2.0', true],
  ['(1.0,2.0]', '> 1.0, <= 2.0', true],
  ['(,2.0)', '< 2.0', true],
  ['[1.0,)', '>= 1.0', true],
  ['1.0 <= version < 2.0', '>= 1.0, < 2.0', true],
  ['1.0..2.0', '>= 1.0, <= 2.0', true],
  ['1.0...2.0', '>= 1.0, <= 2.0', true],
  ['1.0 … 2.x', '>= 1.0, <= 2.x', true],
  ['1.0–2.0', '>= 1.0, <= 2.0', true],
  ['1.0->2.0', '>= 1.0, <= 2.0', true],
])('%s', (text, signs, isVague) => {
  expect(boundsInWords(text)).toEqual({ signs, isVague })
})

test.each([
  '1.0',
  '1.0-rc1',
  '1.0+build',
  '(,)',
  '[1.0]',
  'trunk',
  'Windows 10 Version 1809',
  'all versions',
  '6..2',
  '2.0 and 3.0',
  '',
])('%s says nothing of a range', (text) => {
  expect(boundsInWords(text)).toBeUndefined()
})

test.each<[text: string, listed: string[]]>([
  ['1.0, 1.1 and earlier', ['1.0', '1.1 and earlier']],
  ['1.0;1.1', ['1.0', '1.1']],
  ['1.0', ['1.0']],
  ['>= 1.0, < 2.0', ['>= 1.0, < 2.0']],
  ['12.1, Enterprise', ['12.1, Enterprise']],
  ['1.0 and 1.1', ['1.0', '1.1']],
  ['v1.0, v1.1, and v1.2', ['v1.0', 'v1.1', 'v1.2']],
  ['1.0 | 1.1', ['1.0', '1.1']],
  ['>= 1.0, < 1.5, >= 2.0, < 2.5', ['>= 1.0, < 1.5', '>= 2.0, < 2.5']],
  ['< 1.5, >= 2.0, < 2.5', ['< 1.5', '>= 2.0, < 2.5']],
  ['< 2.0, >= 1.0', ['< 2.0, >= 1.0']],
  ['<1.5 || >=2.0 <2.5', ['<1.5', '>=2.0 <2.5']],
])('%s is a list: %j', (text, listed) => {
  expect(listedIn(text)).toEqual(listed)
})

test.each<[text: string, wider: string]>([
  ['Fixed in 2.4', 'before 2.4'],
  ['resolved by version 2.4', 'before 2.4'],
  ['V2.1 SP3 and earlier', '2.1.* and earlier'],
  ['before version 2.1 SP3', 'through 2.1.*'],
  ['>= V2.0 SP1, < V2.1 SP3 Update 2', '>= 2.0, <= 2.1.*'],
  ['2.1 SP3 to 2.4 Service Pack 1', '2.1.* to 2.4.*'],
  ['<2.4 build 100', '<= 2.4.*'],
  ['2.4.1, build 100 and prior', '2.4.1.* and prior'],
  ['before 7.0 U3n', 'through 7.0.*'],
  ['next of 2.1 SP1', '>= 2.1'],
  ['1.0 SP1-1.5 SP2', '1.0.*-1.5.*'],
  ['2.0 and 2.1', '2.0 and 2.1'],
  ['2.0, 2.1', '2.0, 2.1'],
  ['2.0 release', '2.0 release'],
  ['Pump2 R1', 'Pump2 R1'],
])('%s of what is affected: %s', (text, wider) => {
  expect(widerWords(text)).toBe(wider)
})

test.each<[text: string, range: string | undefined]>([
  ['2.0-2.4', '2.0 to 2.4'],
  ['v2.0-v2.4', 'v2.0 to v2.4'],
  ['2.0~2.4', '2.0 to 2.4'],
  ['2.0-2.0.4', '2.0 to 2.0.4'],
  ['2019-2021', '2019 to 2021'],
  ['9.9-10.0.1', '9.9 to 10.0.1'],
  ['2.0.x-2.4.x', '2.0.x to 2.4.x'],
  ['V2.1 SP3', '2.1 to 2.1.*'],
  ['1.0 SP1-1.5 SP2', '1.0.* to 1.5.*'],
  ['1.0-1.5 SP1', '1.0 to 1.5.*'],
  ['1.0..2', '1.0 to 2'],
  ['6..2', undefined],
  ['2.4-2.0', undefined],
  ['2.0-2.0', undefined],
  ['2.0-rc1', undefined],
  ['1.2.3-4', undefined],
  ['1.0-150400.3.5', undefined],
  ['8.x-1.4', undefined],
  ['2021-12-13', undefined],
  ['1.0.0-2.0.0-rc1', undefined],
  ['2.0 to 2.4', undefined],
  ['2.0', undefined],
])('%s may be a range: %s', (text, range) => {
  expect(rangeBeside(text)).toBe(range)
})
