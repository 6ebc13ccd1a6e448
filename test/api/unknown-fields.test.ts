import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepKnownFields } from '../../src/http/app/routing/known-fields.ts'
import { openDisclosureScene, type DisclosureScene } from '../disclosure/disclosure-scene.ts'
import { readOperations } from '../support/app-operations.ts'
import type { AppSession } from '../support/app-session.ts'

/** Unknown fields in a body have no effect: on no other workspace, no other person, no table column. */

let scene: DisclosureScene
let owner: AppSession
beforeAll(async () => {
  scene = await openDisclosureScene()
  owner = await scene.signIn(scene.acme, 'owner')
})
afterAll(() => scene.close())

const tables = [
  'workspace',
  'company_sign_in',
  'workspace_domain',
  'regime_settings',
  'disclosure_settings',
  'passkey',
] as const

/** Everything of the other workspace and its members that an unknown field could reach. */
async function others(): Promise<unknown> {
  const { db } = scene.database
  const rows = await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))
  return rows.map((found) => found.filter((row) => JSON.stringify(row).includes(scene.umbrella.id)))
}

const issuer = { issuer: 'https://id.evil.example', clientId: 'monitor', clientSecret: null }

describe('a field that no schema names', () => {
  it.each<['POST' | 'PATCH', string, (foreign: Record<string, string>) => object, number]>([
    ['POST', '/sign-in/issuer', (foreign) => ({ ...issuer, ...foreign }), 204],
    ['POST', '/sign-in/domains', (foreign) => ({ domain: 'evil.example', ...foreign }), 204],
    ['PATCH', '/regimes', (foreign) => ({ nis2: true, ...foreign }), 204],
    ['PATCH', '/company', (foreign) => ({ companyName: 'Acme', ...foreign }), 200],
    ['PATCH', '/disclosure', (foreign) => ({ policyUrl: null, ...foreign }), 204],
  ])('is left out: %s %s', async (method, path, bodyWith, status) => {
    const { id, members } = scene.umbrella
    const foreign = {
      workspaceId: id,
      workspace_id: id,
      id,
      personId: members.owner.id,
      slug_frozen_at: '2026-01-01',
      plan: 'plus',
      title: 'x',
    }
    const before = await others()
    const answer = await owner.send(`/workspaces/acme${path}`, { method, body: bodyWith(foreign) })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
    expect(await others()).toEqual(before)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
  })

  it('is known to no operation', async () => {
    const operations = [...(await readOperations()).values()]
    const bodies = operations.flatMap(({ body }) => (typeof body === 'object' && body !== null ? [body] : []))
    expect(bodies.length).toBeGreaterThan(80)
    for (const schema of bodies) {
      const foreign = { workspace_id: 'x', actor: {}, personId: 'x', now: '', db: null, closed_at: null }
      keepKnownFields(schema, foreign)
      expect(foreign).toEqual({})
    }
  })
})
