import { describe, expect, it } from 'vitest'
import { columnTypes } from './column-types.ts'
import { connectionUrl, retrySerialization } from './pool.ts'

function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

describe('retrySerialization', () => {
  const failing = (times: number, error: Error) => {
    let calls = 0
    return {
      calls: () => calls,
      run: () => {
        calls += 1
        return calls <= times ? Promise.reject(error) : Promise.resolve(calls)
      },
    }
  }

  it.each([
    ['a serialization failure', failure('40001')],
    ['a deadlock', failure('40P01')],
    ['a deadlock with context added', new Error('while storing', { cause: failure('40P01') })],
  ])('runs again, up to three times, after %s', async (_, error) => {
    const thrice = failing(3, error)
    await expect(retrySerialization(thrice.run)).resolves.toBe(4)
    const often = failing(9, error)
    await expect(retrySerialization(often.run)).rejects.toBe(error)
    expect(often.calls()).toBe(4)
  })

  it.each([failure('23505'), new Error('no code')])('does not run again after %s', async (error) => {
    const once = failing(1, error)
    await expect(retrySerialization(once.run)).rejects.toBe(error)
    expect(once.calls()).toBe(1)
  })
})

describe('connectionUrl', () => {
  it.each([
    [
      'postgresql:///store?host=%2Fa%20b%2Fsocket&port=5432&user=svc',
      { host: '/a b/socket', port: 5432, user: 'svc', database: 'store' },
    ],
    ['postgresql://u:p@h/d', { connectionString: 'postgresql://u:p@h/d' }],
  ])('is %s', (url, connection) => {
    expect(connectionUrl(connection)).toBe(url)
  })
})

describe('columnTypes', () => {
  const parse = (oid: number, text: string): unknown =>
    (columnTypes.getTypeParser as (oid: number) => (text: string) => unknown)(oid)(text)

  it.each([
    ['int8', 20, '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['int8', 20, '-1', -1],
    ['numeric', 1700, '7.50', 7.5],
    ['date', 1082, '2026-02-28', '2026-02-28'],
    ['int8[]', 1016, '{1,NULL,3}', [1, null, 3]],
    [
      'int8[][]',
      1016,
      '{{1,2},{3,4}}',
      [
        [1, 2],
        [3, 4],
      ],
    ],
    ['numeric[]', 1231, '{1.5}', [1.5]],
    ['date[]', 1182, '{2026-02-28}', ['2026-02-28']],
    ['int4, as ever', 23, '5', 5],
    ['timestamptz', 1184, '2026-01-01 00:00:00+00', new Date('2026-01-01T00:00:00Z')],
  ])('parses %s (%d) %s', (_, oid, text, value) => {
    expect(parse(oid, text)).toEqual(value)
  })

  it.each(['9007199254740992', '-9007199254740992'])('refuses the int8 %s, which is not exact', (text) => {
    expect(() => parse(20, text)).toThrow(RangeError)
  })
})
