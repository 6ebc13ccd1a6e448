import { afterAll, beforeAll, expect, it } from 'vitest'
import { getSbom } from '../../src/contract/sbom/operations.ts'
import { createToken } from '../../src/contract/tokens/operations.ts'
import { listAuditActors } from '../../src/contract/audit/operations.ts'
import { call, endBoth } from '../support/http.ts'
import { sampleSbom } from '../support/sample-sbom.ts'
import { readAs } from '../support/read-as.ts'
import { SbomReceipt } from '../../src/contract/sbom/shapes.ts'
import { openAppScene, type AppScene } from '../support/app-scene.ts'

let { store, http, acme, owner } = {} as AppScene
beforeAll(async () => {
  ;({ store, http, acme, owner } = await openAppScene())
})
afterAll(() => endBoth(http, store))

let serial = 0

async function sentBy(token: string): Promise<string> {
  serial += 1
  const body = sampleSbom({ components: 3, serial, version: '1.0' })
  const sent = await call(`${http.url}/api/v1/sboms`, { method: 'POST', token, body })
  expect(sent.status).toBe(202)
  return (await owner.call(getSbom, { params: { sbom: readAs(SbomReceipt, sent.body).id } })).sentBy
}

it('a sender is named by its first characters only where its family has another token of that name', async () => {
  const [pump, other] = acme.families
  expect(await sentBy(pump?.upload ?? '')).toBe('ci')
  const { secret } = await owner.call(createToken, {
    body: { name: 'ci', kind: 'upload', familyId: pump?.id ?? null, expiresInDays: null },
  })
  expect(await sentBy(secret)).toMatch(/^ci \(svc_.{2,}…\)$/)
  expect(await sentBy(pump?.upload ?? '')).not.toBe(await sentBy(secret))
  expect(await sentBy(other?.upload ?? '')).toBe('ci')
})

it('the audit trail tells whom it can be asked for by family and first characters', async () => {
  const { tokens } = await owner.call(listAuditActors)
  const places = tokens.map(({ name, prefix, family }) => `${name} ${prefix} ${family?.name ?? 'workspace'}`)
  expect(new Set(places).size).toBe(tokens.length)
  expect(places.filter((place) => /^ci svc_\S+ Pump 1$/.test(place))).toHaveLength(2)
  expect(places).toContainEqual(expect.stringMatching(/^ops svc_\S+ workspace$/))
})
