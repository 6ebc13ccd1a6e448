import { describe, expect, it } from 'vitest'
import { listTokens, revokeToken } from '../../src/contract/operations/tokens.ts'
import { addressOf } from './call.ts'
import { keyOf, workspaceKey } from './query-of.ts'

describe('the address of a call', () => {
  it.each([
    [
      addressOf(revokeToken, { params: { slug: 'acme', token: 't' } }),
      '/api/app/workspaces/acme/tokens/t/revoke',
    ],
  ])('%s', (address, expected) => {
    expect(address).toBe(expected)
  })
})

describe('the key of a query', () => {
  it('starts with its workspace, so that an act refreshes it', () => {
    const key = keyOf(listTokens, { params: { slug: 'acme' } })
    expect(key.slice(0, 2)).toEqual(workspaceKey('acme'))
  })
})
