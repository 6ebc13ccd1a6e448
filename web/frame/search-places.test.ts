import { expect, it } from 'vitest'
import { findPlaces } from './search-places.ts'

const names = (role: 'owner' | 'viewer', search: string) =>
  findPlaces('acme', role, search).map(({ kind, name }) => `${kind} ${name}`)

it.each([
  ['token', ['setting API tokens', 'act Create an API token']],
  ['second factor', ['setting Sign-in', 'setting Account']],
  ['nis2', ['setting Regimes and authorities']],
  ['INVITE', ['act Invite a member']],
  ['zebra', []],
])('%s finds %j', (search, expected) => {
  expect(names('owner', search)).toEqual(expected)
})

it('shows nobody what their role does not open', () => {
  expect(names('viewer', 'audit')).toEqual([])
  expect(names('viewer', 'invite')).toEqual([])
  expect(names('owner', 'audit')).toEqual(['setting Audit trail'])
})
