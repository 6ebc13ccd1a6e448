import { describe, expect, it } from 'vitest'
import { toggled, toggledAll } from './selection.ts'

const of = (words: string) => new Set(words.split(' ').filter((word) => word !== ''))

describe('toggled', () => {
  it.each([
    ['', 'a', 9, 'a'],
    ['a', 'a', 9, ''],
    ['a b', 'c', 2, 'a b'],
    ['a b', 'b', 2, 'a'],
  ])('%j with %j of at most %i is %j', (selected, id, max, next) => {
    expect(toggled(of(selected), id, max)).toEqual(of(next))
  })
})

describe('toggledAll', () => {
  it.each([
    ['', 'a b', 9, 'a b'],
    ['a', 'a b', 9, 'a b'],
    ['a b', 'a b', 9, ''],
    ['a b z', 'a b', 9, 'z'],
    ['z', 'a b c', 2, 'z a'],
  ])('%j with %j of at most %i is %j', (selected, ids, max, next) => {
    expect(toggledAll(of(selected), ids.split(' '), max)).toEqual(of(next))
  })
})
