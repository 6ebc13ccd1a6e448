import { expect, it } from 'vitest'
import { isSessionLost, isStoreAway } from './store-away.ts'

it.each(['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'])(
  'a host that the system cannot reach (%s) is a store that is away, which passes',
  (code) => {
    const error = Object.assign(new Error(`connect ${code} 192.0.2.77:5432`), { code })
    expect(isSessionLost(error)).toBe(true)
    expect(isSessionLost(new Error('no session', { cause: error }))).toBe(true)
  },
)

it.each(['ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE', 'ENOBUFS', 'EADDRNOTAVAIL'])(
  'a socket that cannot be opened (%s) is a store that is away; the same of a file is not',
  (code) => {
    const failed = (call: string) => Object.assign(new Error(`${call} ${code} /run/.s.PGSQL.5432`), { code })
    expect(isStoreAway(failed('connect'))).toBe(true)
    expect(isStoreAway(failed('open'))).toBe(false)
  },
)

it('a file that is not there is not the store', () => {
  expect(isSessionLost(Object.assign(new Error('open ENOENT'), { code: 'ENOENT' }))).toBe(false)
})

it('a session that ended is told from what its end left behind too: what it held could not be given back', async () => {
  const lost = new Error('Connection terminated unexpectedly')
  const failing = async (error: Error, ofEnd: Error) => {
    await using held = new AsyncDisposableStack()
    held.defer(() => Promise.reject(ofEnd))
    throw error
  }
  const other = new Error('a mistake of its own')
  const both = await failing(lost, new Error('Client was closed and is not queryable')).catch(String)
  expect(both).toContain('suppressed')
  for (const [error, ofEnd, expected] of [
    [lost, other, true],
    [other, lost, true],
    [other, other, false],
  ] as const) {
    const raised: unknown = await failing(error, ofEnd).catch((thrown: unknown) => thrown)
    expect(isSessionLost(raised)).toBe(expected)
    expect(isStoreAway(new Error('an export failed', { cause: raised }))).toBe(expected)
  }
})
