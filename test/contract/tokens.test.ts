import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CreatedToken, TokenRow } from '../../src/contract/tokens/shapes.ts'
import { createToken, listTokens, revokeToken, type NewToken } from '../../src/contract/tokens/operations.ts'
import { call, endBoth } from '../support/http.ts'
import { testNow } from '../support/clock.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let now = testNow

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene({ now: () => now }))
})
afterAll(() => endBoth(http, store))

function make(name: string, expiresInDays: NewToken['expiresInDays']): Promise<CreatedToken> {
  const familyId = acme.families[0]?.id ?? null
  const body: NewToken = { name, kind: 'upload', familyId, expiresInDays }
  return owner.call(createToken, { body })
}

async function rowOf(name: string): Promise<TokenRow | undefined> {
  const body = await owner.call(listTokens)
  return body.tokens.find((row) => row.name === name)
}

it('a token has its form, and is shown in the answer that makes it alone', async () => {
  const { secret } = await make('form', 30)
  expect(secret).toMatch(/^svc_[A-Za-z0-9_-]{43}$/)
  expect(JSON.stringify(await owner.call(listTokens))).not.toContain(secret)
})

it.each([
  ['30 days', 30, '2026-01-31T00:00:00.000Z'],
  ['90 days', 90, '2026-04-01T00:00:00.000Z'],
  ['1 year', 365, '2027-01-01T00:00:00.000Z'],
  ['never', null, null],
] as const)('a token ends after %s', async (name, days, expiresAt) => {
  await make(name, days)
  expect(await rowOf(name)).toMatchObject({ expiresAt })
  for (const other of [1, 31, 366]) {
    const body = { name: 'other', kind: 'upload', familyId: acme.families[0]?.id, expiresInDays: other }
    expect(await owner.refused(createToken, { body })).toMatchObject({ status: 400 })
  }
})

it('the list says of each token what its columns show', async () => {
  const { secret } = await make('listed', 30)
  const listed = {
    name: 'listed',
    family: { id: acme.families[0]?.id, name: 'Pump 1' },
    prefix: secret.slice(0, 10),
    createdAt: testNow.toISOString(),
    createdBy: 'owner of acme',
    lastUsedAt: null,
    expiresAt: '2026-01-31T00:00:00.000Z',
    status: 'Active',
  }
  expect(await rowOf('listed')).toMatchObject(listed)
  const used = await call(`${http.url}/api/v1/sboms`, { method: 'POST', token: secret, body: '[]' })
  expect(used.status).toBe(415)
  expect(await rowOf('listed')).toMatchObject({ ...listed, lastUsedAt: testNow.toISOString() })
  const { secret: revoked } = await make('revoked', 30)
  await owner.call(revokeToken, { params: { token: (await rowOf('revoked'))?.id } })
  expect(await rowOf('revoked')).toMatchObject({ prefix: revoked.slice(0, 10), status: 'Revoked' })
  await store.db.updateTable('token').set({ expires_at: testNow }).where('name', '=', 'listed').execute()
  now = new Date(testNow.getTime() + 1)
  expect(await rowOf('listed')).toMatchObject({ status: 'Expired' })
})
