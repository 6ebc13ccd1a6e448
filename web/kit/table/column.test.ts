import { describe, expect, it } from 'vitest'
import { fitted, nextSort, rowAfterKey } from './column.ts'

describe('rowAfterKey', () => {
  it.each([
    ['ArrowDown', 0, 3, 1],
    ['ArrowDown', 2, 3, 2],
    ['ArrowUp', 0, 3, 0],
    ['ArrowUp', 2, 3, 1],
    ['Home', 2, 3, 0],
    ['End', 0, 3, 2],
    ['Enter', 0, 3, undefined],
    ['ArrowDown', 0, 0, undefined],
  ])('%s on row %d of %d → %s', (key, row, rows, next) => {
    expect(rowAfterKey(key, row, rows)).toBe(next)
  })
})

describe('nextSort', () => {
  const steps = [
    { value: 'name', direction: 'ascending' as const },
    { value: '-name', direction: 'descending' as const },
  ]
  it.each([
    ['findings', 'name'],
    ['name', '-name'],
    ['-name', 'name'],
  ])('after %s comes %s', (present, next) => {
    expect(nextSort(steps, present)).toBe(next)
  })
})

it.each([
  ['no rows', [], 90, 70],
  ['a short text', ['1.0'], 90, 70],
  ['a text wider than the column', ['1.0', '1.2.3-beta.12'], 136, 132],
  ['a text wider than any column', ['1'.repeat(100)], 300, 132],
])('a column is as wide as %s needs', (_what, rows, widthPx, phoneWidthPx) => {
  const column = {
    id: 'v',
    header: 'V',
    cell: String,
    fits: (row: string) => row,
    widthPx: 90,
    phoneWidthPx: 70,
  }
  expect(fitted([column], rows)).toMatchObject([{ widthPx, phoneWidthPx }])
})

it('a column that takes several lines does so on a phone rather than take room', () => {
  const column = { id: 'v', header: 'V', cell: String, fits: (row: string) => row, whole: true as const }
  expect(fitted([{ ...column, widthPx: 90, phoneWidthPx: 70 }], ['28 Nov 2026, 22:12 UTC'])).toMatchObject([
    { widthPx: 214, phoneWidthPx: 70 },
  ])
})

it.each([
  ['is not there while no row is here', [], 0],
  ['is not there where it says nothing of any', ['', ''], 0],
  ['is there where it says something of one', ['', '2'], 1],
])('a column of few tables %s', (_what, rows, shown) => {
  const column = { id: 'malware', header: 'Malware', cell: String, appearsFor: (row: string) => row !== '' }
  expect(fitted([column], rows)).toHaveLength(shown)
})

describe('a column that can say nothing of a row', () => {
  const column = {
    id: 'severities',
    header: 'By severity',
    cell: String,
    isBlank: (row: string) => row === '',
    widthPx: 330,
    sorts: [{ value: 'severity', direction: 'descending' as const }],
  }
  it.each([
    ['is as narrow as its head where it says nothing of all', ['', ''], 139],
    ['is as wide as ever where it says something of one', ['', '2'], 330],
    ['is as wide as ever while no row is here', [], 330],
  ])('%s', (_what, rows, widthPx) => {
    expect(fitted([column], rows)).toMatchObject([{ widthPx }])
  })

  it('is never made wider', () => {
    expect(fitted([{ ...column, widthPx: 60 }], [''])).toMatchObject([{ widthPx: 60 }])
  })
})
