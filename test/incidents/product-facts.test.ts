import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changeCompany } from '../../src/contract/workspace/company-operations.ts'
import { changeProductFacts, createFamily, getProductFacts } from '../../src/contract/products/operations.ts'
import { getIncident, openIncident } from '../../src/contract/incidents/operations.ts'
import { getDraft, saveDraft } from '../../src/contract/incidents/report-operations.ts'
import { listAuditEvents } from '../../src/contract/audit/operations.ts'
import { changeFacts } from '../../src/contract/incidents/act-operations.ts'
import { idOf, openActScene, type ActScene } from './act-scene.ts'
import { anyText } from '../support/expected.ts'
import { refusalIn } from '../support/read-as.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

const facts = {
  memberStates: ['SE', 'DE'],
  productType: 'important',
  productClass: 'class_2',
  category: 'Firewalls',
  supportEndsOn: '2026-11-01',
  userContact: 'support@acme.example',
}

const family = (name: string) => idOf(scene.as('lead').call(createFamily, { body: { name } }))

const keep = (id: string, body: Record<string, unknown>) =>
  scene.as('lead').ask(changeProductFacts, { params: { family: id }, body })

const read = (id: string) => scene.as('editor').call(getProductFacts, { params: { family: id } })

/** An incident in several families, and its early warning. */
async function incidentIn(title: string, families: string[], awareAt = '2026-11-02T08:00:00.000Z') {
  const given = { kind: 'severe_incident' as const, title, families, awareAt }
  const incident = await idOf(scene.as('editor').call(openIncident, { body: given }))
  const detail = await scene.as('editor').call(getIncident, { params: { incident } })
  const report = detail.reports.find(
    ({ regime, report: stage }) => regime === 'cra' && stage === 'early_warning',
  )
  const place = { incident, report: report?.id }
  const draft = () => scene.as('editor').call(getDraft, { params: place })
  return { incident, place, detail, draft }
}

describe('what is kept with a family', () => {
  test('is empty at first, changed by what is given, and in the audit trail', async () => {
    const id = await family('Kept')
    expect(await read(id)).toMatchObject({ memberStates: [], productType: null, changedAt: null })
    expect((await keep(id, facts)).status).toBe(204)
    expect((await keep(id, {})).status).toBe(204)
    expect((await keep(id, { supportEndsOn: null })).status).toBe(204)
    expect(await read(id)).toEqual({
      ...facts,
      memberStates: ['DE', 'SE'],
      supportEndsOn: null,
      changedAt: anyText,
      changedBy: anyText,
    })
    const { rows } = await scene
      .as('lead')
      .call(listAuditEvents, { query: { action: 'family.product_facts_changed' } })
    expect(rows).toHaveLength(2)
  })

  let refused = 0
  test.each([
    [{ memberStates: ['XX'] }, 'memberStates'],
    [{ productClass: 'class_1' }, 'productClass'],
    [{ category: 'Firewalls' }, 'category'],
    [{ productType: 'critical', productClass: 'class_1' }, 'productClass'],
    [{ supportEndsOn: '2026-02-30' }, 'supportEndsOn'],
    [{ supportEndsOn: '0000-01-01' }, 'supportEndsOn'],
    [{ userContact: 'a\u202eb' }, 'userContact'],
    [{ userContact: 'x'.repeat(256) }, 'userContact'],
  ])('refuses %j', async (body, field) => {
    const id = await family(`Refused ${(refused += 1)}`)
    const { status, body: answer } = await keep(id, body)
    expect([status, Object.keys(refusalIn(answer).fields)]).toEqual([400, [field]])
    expect(await read(id)).toMatchObject({ changedAt: null })
  })

  test('is changed by leads alone, and never that of another workspace', async () => {
    const id = await family('Lead')
    const asked = await scene
      .as('editor')
      .refused(changeProductFacts, { params: { family: id }, body: facts })
    expect(asked.status).toBe(403)
    expect((await keep('00000000-0000-7000-8000-00000000dead', facts)).status).toBe(404)
  })
})

describe('a draft', () => {
  test('begins with the facts of its products', async () => {
    const id = await family('Begun')
    await keep(id, facts)
    const { draft } = await incidentIn('Begun', [id])
    expect((await draft()).values).toMatchObject({
      '5': ['DE', 'SE'],
      '8': 'important',
      '9': 'class_2',
      '10': 'Firewalls',
      '11': 'yes',
      '14': 'Contact for users: support@acme.example',
    })
    expect((await draft()).values['17']).toBeUndefined()
  })

  test.each([
    ['2026-11-01T10:59:00.000Z', 'no'],
    ['2026-11-01T11:00:00.000Z', 'yes'],
  ])(
    'of who became aware at %s says whether support had ended by the zone of the workspace',
    async (at, said) => {
      const setZone = (timeZone: string) => scene.as('owner').ask(changeCompany, { body: { timeZone } })
      expect((await setZone('Pacific/Auckland')).status).toBe(200)
      const id = await family(`Aware at ${at}`)
      await keep(id, facts)
      const { draft } = await incidentIn(`Aware at ${at}`, [id], at)
      expect((await draft()).values['11']).toBe(said)
      await setZone('UTC')
    },
  )

  test('that is saved stays, and says what is kept now', async () => {
    const id = await family('Saved')
    await keep(id, { memberStates: ['DE'], productType: 'default' })
    const { place, draft } = await incidentIn('Saved', [id])
    const { values } = await draft()
    await scene.as('editor').call(saveDraft, { params: place, body: { revision: 0, values } })
    await keep(id, { memberStates: ['DE', 'SE'] })
    const now = await draft()
    expect(now.values['5']).toEqual(['DE'])
    expect(now.kept).toEqual([
      { field: '5', value: ['DE', 'SE'], with: 'family', changedAt: anyText },
      { field: '8', value: 'default', with: 'family', changedAt: anyText },
    ])
  })

  test('keeps the states that somebody named for the incident itself', async () => {
    const id = await family('Own')
    await keep(id, facts)
    const { incident, draft } = await incidentIn('Own', [id])
    await scene.as('editor').call(changeFacts, { params: { incident }, body: { memberStates: ['NO'] } })
    const { values, kept } = await draft()
    expect(values['5']).toEqual(['NO'])
    expect(kept.map(({ field }) => field)).toEqual(['8', '9', '10', '11'])
  })
})

test('reports under the CRA go to the reporting platform where no other authority is stored', async () => {
  const { detail } = await incidentIn('Default', [])
  const cra = detail.regimes.find(({ regime }) => regime === 'cra')
  expect(cra?.authority).toMatchObject({ portal: 'https://portal.cra-srp.enisa.europa.eu' })
})
