import { expect, it } from 'vitest'
import { isSessionLost } from './store-away.ts'

it.each(['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'])(
  'a host that the system cannot reach (%s) is a store that is away, which passes',
  (code) => {
    const error = Object.assign(new Error(`connect ${code} 192.0.2.77:5432`), { code })
    expect(isSessionLost(error)).toBe(true)
    expect(isSessionLost(new Error('no session', { cause: error }))).toBe(true)
  },
)

it('a file that is not there is not the store', () => {
  expect(isSessionLost(Object.assign(new Error('open ENOENT'), { code: 'ENOENT' }))).toBe(false)
})
