import { describe, expect, it } from 'vitest'
import { askedRows, cutPage, decodeCursor, encodeCursor, pageSize } from './cursor.ts'

const shape = { list: 'things', kinds: ['text', 'int', 'bigint', 'float', 'uuid', 'time'] } as const
const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const good = ['name', -7, 2 ** 40, 0.5, id, '2026-01-01T00:00:00.000Z'] as [
  string,
  number,
  number,
  number,
  string,
  string,
]

function forged(list: unknown, ...parts: unknown[]): string {
  return Buffer.from(JSON.stringify([list, ...parts])).toString('base64url')
}

describe('a cursor', () => {
  it('comes back as it was written', () => {
    expect(decodeCursor(shape, encodeCursor(shape, good))).toEqual(good)
  })

  const wrong: Record<number, unknown[]> = {
    0: [1, null, 'a\0b', '\ud800', ['name']],
    1: [2 ** 31, 0.5, '1', null, 1e300],
    2: [2 ** 60, 0.5, '1'],
    3: ['NaN', null, {}],
    4: ['x', id.toUpperCase(), `${id}'`, 7],
    5: [
      'now',
      '2026-13-01T00:00:00.000Z',
      '0000-01-01T00:00:00.000Z',
      '2026-02-30T00:00:00.000Z',
      'infinity',
      5,
    ],
  }
  const cases = Object.entries(wrong).flatMap(([place, values]) =>
    values.map(
      (value) => [shape.kinds[Number(place)], value, good.with(Number(place), value as string)] as const,
    ),
  )
  it.each(cases)('of a wrong %s %j is refused', (_kind, _value, parts) => {
    expect(() => decodeCursor(shape, forged('things', ...parts))).toThrow(/invalid/)
  })

  it.each([
    ['another list', forged('others', ...good)],
    ['fewer places', forged('things', ...good.slice(1))],
    ['more places', forged('things', ...good, 1)],
    ['no list', Buffer.from('{"length":7}').toString('base64url')],
    ['no JSON', 'abc'],
    ['too many characters', forged('things', 'x'.repeat(5000))],
    ['nothing', ''],
  ])('of %s is refused', (_rule, cursor) => {
    expect(() => decodeCursor(shape, cursor)).toThrow(/invalid/)
  })
})

describe('a page', () => {
  const shape = { list: 'numbers', kinds: ['int'] } as const
  const paged = { shape, position: (row: number): [number] => [row] }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  it.each([0, 1, pageSize])('of %i rows is the last', (count) => {
    expect(cutPage(upTo(count), paged)).toEqual({ shown: upTo(count), nextCursor: null })
  })

  it('leaves the row that was asked beyond it to the next one', () => {
    const { shown, nextCursor } = cutPage(upTo(askedRows), paged)
    expect(shown).toEqual(upTo(pageSize))
    expect(nextCursor === null ? [] : decodeCursor(paged.shape, nextCursor)).toEqual([pageSize])
  })
})
