import { describe, expect, it } from 'vitest'
import { onDatabase, withDatabase } from './other-database.ts'
import { readAddress } from '../../../platform/postgres/address/read-address.ts'

const read = (address: string) => readAddress(address, {})

describe('withDatabase', () => {
  it.each([
    'postgresql://role:password@host:5432/monitor',
    'postgres://host',
    'postgresql:///monitor?host=/run/postgresql&user=role',
    'postgresql://role:a?b%2Fc@one:5432,two:5433/monitor?target_session_attrs=read-write',
    'postgresql://role@host/monitor?dbname=other',
    'postgresql://role:p@ss?word@host/monitor',
    'postgresql://host/monitor?',
    'postgresql://[::1]:5432/',
  ])('changes nothing else in %s', (address) => {
    expect(read(withDatabase(address, 'a scratch&one'))).toEqual({
      ...read(address),
      database: 'a scratch&one',
    })
  })

  it.each([
    ['/run/postgresql monitor', '/run/postgresql scratch'],
    ['/run/postgresql', '/run/postgresql scratch'],
    ['socket:/run/postgresql?db=monitor&user=role', 'socket:/run/postgresql?db=scratch&user=role'],
  ])('knows the form of the driver %s', (address, expected) => {
    expect(withDatabase(address, 'scratch')).toBe(expected)
  })
})

it('onDatabase keeps what else a connection says', () => {
  const embedded = { host: '/run/x', port: 5432, user: 'monitor', database: 'store' }
  expect(onDatabase(embedded, 'scratch')).toEqual({ ...embedded, database: 'scratch' })
  expect(onDatabase({ connectionString: 'postgresql://host/a', max: 2 }, 'b')).toEqual({
    connectionString: 'postgresql://host/a?dbname=b',
    max: 2,
  })
})
