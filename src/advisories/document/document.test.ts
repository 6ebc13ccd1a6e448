import { describe, expect, it } from 'vitest'
import { documentUrl } from '../../html/document-url.ts'
import { documentFileName, trackingIdProblem } from './file-name.ts'
import { versionNameProblem } from './product-tree.ts'
import { nextNumber } from './version-number.ts'

describe('the file of a tracking id', () => {
  // the examples of CSAF 2.0, 5.1, first
  it.each([
    ['Example Company - 2019-YH3234', 'example_company_-_2019-yh3234.json'],
    ['RHBA-2019:0024', 'rhba-2019_0024.json'],
    ['cisco-sa-20190513-secureboot', 'cisco-sa-20190513-secureboot.json'],
    ['A.1', 'a_1.json'],
    ['A_1', 'a_1.json'],
    ['A..._.1', 'a_1.json'],
    ['a+b', 'a+b.json'],
  ])('%s → %s', (id, file) => {
    expect(documentFileName(id)).toBe(file)
  })

  it.each([
    ['ACME-SA-2026-0001', false],
    ['a'.repeat(64), false],
    ['a'.repeat(65), true],
    ['', true],
    ['a b', true],
    ['İ', true],
    ['x.json', true],
    ['x.JSON', true],
    // in an address they are the folder and the one above it
    ['.', true],
    ['..', true],
    ['A..', false],
  ])('%s is refused: %s', (id, isRefused) => {
    expect(trackingIdProblem(id) !== undefined).toBe(isRefused)
  })
})

it.each([
  ['1.0.0', 'update', '1.1.0'],
  ['1.0.0', 'correction', '1.0.1'],
  ['1.1.0', 'correction', '1.1.1'],
  ['1.1.1', 'update', '1.2.0'],
  ['1.9.9', 'update', '1.10.0'],
  ['1.9.9', 'correction', '1.9.10'],
] as const)('%s, %s → %s', (number, kind, next) => {
  expect(nextNumber(number, kind)).toBe(next)
})

it.each([
  ['2.0', false],
  ['2.0-install', false],
  ['priority', false],
  ['2.0 and later', true],
  ['All', true],
  ['<2', true],
  ['2 > 1', true],
])('the version name %s is refused: %s', (name, isRefused) => {
  expect(versionNameProblem(name) !== undefined).toBe(isRefused)
})

it.each([
  ['https://example.com', 'https://example.com/'],
  ['https://exämple.com/ä?ö#ü', 'https://xn--exmple-cua.com/%C3%A4?%C3%B6#%C3%BC'],
  ['https://example.com/a|b{c}[d]', 'https://example.com/a%7Cb%7Bc%7D%5Bd%5D'],
  ['https://example.com/100%', 'https://example.com/100%25'],
  ['https://example.com/#a#b', 'https://example.com/#a%23b'],
  ['https://a b', undefined],
  ['https://user:secret@example.com', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['mailto:a@b.example', undefined],
  ['//example.com', undefined],
  ['https:\\\\example.com', undefined],
  ['', undefined],
])('the address %s is written %s', (text, url) => {
  expect(documentUrl(text)).toBe(url)
})
