import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Regime } from '../../src/contract/alerts/events.ts'
import type { DraftValue } from '../../src/contract/incidents/report-drafts.ts'
import {
  changeFacts,
  decideAwareness,
  decideDetermination,
  recordDetermination,
  reopenIncident,
  switchRegime,
} from '../../src/contract/incidents/act-operations.ts'
import { changeRegimeSettings, getIncident, openIncident } from '../../src/contract/incidents/operations.ts'
import { getDraft, saveDraft } from '../../src/contract/incidents/report-operations.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import { changeProductFacts, createFamily } from '../../src/contract/products/operations.ts'
import { getDraft as readDraft } from '../../src/incidents/drafts/read-draft.ts'
import { saveDraft as storeDraft } from '../../src/incidents/drafts/save-draft.ts'
import { idOf, openActScene, reason, type ActScene } from './act-scene.ts'
import { after, createIncidentScene, pump } from './incident-scene.ts'
import { addVersion } from '../support/rows.ts'

/** A saved draft keeps what it says. Where the incident now says something else, it names that. */

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
  await scene.as('owner').call(changeRegimeSettings, { body: { dora: true } })
})
afterAll(() => scene.close())

const at = (time: string) => `2026-11-02T${time}:00.000Z`
let serial = 0

/** An incident that is aware since 08:00, and the first saved draft of one of its regimes. */
async function savedDraft({
  regime = 'cra',
  vulnerability,
  families = [],
}: {
  regime?: Regime
  vulnerability?: string
  families?: string[]
}) {
  const kind = vulnerability === undefined ? ('severe_incident' as const) : ('vulnerability' as const)
  const given = { kind, title: `Read out ${(serial += 1)}`, families, awareAt: at('08:00') }
  const about = vulnerability === undefined ? {} : { vulnerability }
  const incident = await idOf(scene.as('editor').call(openIncident, { body: { ...given, ...about } }))
  const id = { params: { incident } }
  const classify = (classifiedAt: string) =>
    idOf(
      scene.as('editor').call(recordDetermination, {
        ...id,
        body: { value: 'dora_major', reasoning: reason, classifiedAt },
      }),
    )
  const first = regime === 'dora' ? await classify(at('09:00')) : ''
  if (regime === 'gdpr')
    await scene.as('lead').call(switchRegime, { ...id, body: { regime, active: true, awareAt: at('09:30') } })
  const { reports } = await scene.as('editor').call(getIncident, id)
  const params = { incident, report: reports.find((one) => one.regime === regime)?.id ?? '' }
  const draft = () => scene.as('editor').call(getDraft, { params })
  const save = async (typed: Record<string, DraftValue> = {}) => {
    const { values, revision } = await draft()
    const body = { revision, values: { ...values, ...typed } }
    return scene.as('editor').call(saveDraft, { params, body })
  }
  await save()
  const wait = () => {
    scene.wait(60)
    return scene.now().toISOString()
  }
  const change = (body: BodyOf<typeof changeFacts>) => scene.as('editor').call(changeFacts, { ...id, body })
  return { incident, id, first, classify, draft, save, wait, change }
}

const says = (field: string, value: DraftValue, changedAt: string) => ({
  field,
  value,
  with: 'incident',
  changedAt,
})

describe('a draft that was saved before says what the incident says now', () => {
  it.each<[string, string, Parameters<typeof savedDraft>[0], BodyOf<typeof changeFacts>, DraftValue]>([
    ['title', '2', {}, { title: 'Update server read out' }, 'Update server read out'],
    ['time of occurrence', 'i38', {}, { occurredAt: at('05:00') }, '2026-11-02T05:00:00Z'],
    ['Member States', '5', {}, { memberStates: ['SE', 'DE'] }, ['DE', 'SE']],
    [
      'time of occurrence',
      'v26a',
      { vulnerability: 'CVE-2026-5101' },
      { occurredAt: at('05:00') },
      '2026-11-02T05:00:00Z',
    ],
    [
      'time of a measure',
      'v22',
      { vulnerability: 'CVE-2026-5102' },
      { measureAvailableAt: at('09:00') },
      '2026-11-02T09:00:00Z',
    ],
    [
      'time of occurrence',
      'occurred_at',
      { regime: 'dora' },
      { occurredAt: at('05:00') },
      '2026-11-02T05:00:00Z',
    ],
    ['Member States', 'member_states', { regime: 'dora' }, { memberStates: ['NO'] }, ['NO']],
  ])('as the %s in %s', async (_what, field, place, change, value) => {
    const { draft, change: set, wait } = await savedDraft(place)
    const before = await draft()
    expect(before.kept).toEqual([])
    const changedAt = wait()
    await set(change)
    const { values, kept, form } = await draft()
    // not every stage of DORA asks when it occurred
    const asked = form.fields.some(({ id }) => id === field)
    expect(kept).toEqual(asked ? [says(field, value, changedAt)] : [])
    expect(values[field]).toEqual(before.values[field])
  })

  it('and that it no longer says it', async () => {
    const { draft, change, save, wait } = await savedDraft({ vulnerability: 'CVE-2026-5103' })
    await change({ measureAvailableAt: at('09:00'), memberStates: ['NO'] })
    await save({ '5': ['NO'], v22: '2026-11-02T09:00:00Z' })
    expect((await draft()).kept).toEqual([])
    const changedAt = wait()
    await change({ measureAvailableAt: null, memberStates: [] })
    expect((await draft()).kept).toEqual([says('5', [], changedAt), says('v22', '', changedAt)])
  })

  it('and once the states that were named for the incident are removed, those of the product, since then', async () => {
    const family = await idOf(scene.as('lead').call(createFamily, { body: { name: 'Sold in two states' } }))
    const body = { memberStates: ['DE', 'SE'] }
    await scene.as('lead').call(changeProductFacts, { params: { family }, body })
    const { draft, change, save, wait } = await savedDraft({ families: [family] })
    wait()
    await change({ memberStates: ['NO'] })
    await save({ '5': ['NO'] })
    const changedAt = wait()
    await change({ memberStates: [] })
    expect((await draft()).kept).toEqual([{ ...says('5', ['DE', 'SE'], changedAt), with: 'family' }])
  })

  it('as the time of the classification under DORA that followed a rejected one', async () => {
    const { draft, classify, first, id, wait } = await savedDraft({ regime: 'dora' })
    expect((await draft()).values['classified_at']).toBe('2026-11-02T09:00:00Z')
    const decision = { approve: false, comment: 'The threshold was not met.' }
    const params = { ...id.params, determination: first }
    await scene.as('lead').call(decideDetermination, { params, body: decision })
    const changedAt = wait()
    await classify(at('10:00'))
    const { kept, values } = await draft()
    expect(values['classified_at']).toBe('2026-11-02T09:00:00Z')
    expect(kept).toEqual([says('classified_at', '2026-11-02T10:00:00Z', changedAt)])
  })

  it('as the time at which a breach of personal data was known, once it is switched on again with an earlier one', async () => {
    const { draft, id, wait } = await savedDraft({ regime: 'gdpr' })
    expect(await draft()).toMatchObject({ values: { aware_at: '2026-11-02T09:30:00Z' }, kept: [] })
    const off = { regime: 'gdpr' as const, active: false, reason }
    const { waits } = await scene.as('lead').call(switchRegime, { ...id, body: off })
    expect(waits).toBe(true)
    const { awareness } = await scene.as('owner').call(getIncident, id)
    const params = { ...id.params, change: awareness.at(-1)?.id ?? '' }
    await scene.as('owner').call(decideAwareness, { params, body: { approve: true } })
    const changedAt = wait()
    const on = { regime: 'gdpr' as const, active: true, awareAt: at('08:30') }
    await scene.as('lead').call(switchRegime, { ...id, body: on })
    expect((await draft()).kept).toEqual([says('aware_at', '2026-11-02T08:30:00Z', changedAt)])
  })
})

describe('a draft that was saved before says what was taken out since', () => {
  it('of the facts of the company under DORA, where the draft still states it', async () => {
    const set = (doraFacts: Record<string, string | null>) =>
      scene.as('owner').call(changeRegimeSettings, { body: { doraFacts } })
    await set({ contact_1_name: 'Ada', contact_1_phone: '+47 1', parent_name: 'Holding' })
    const { draft, save, wait } = await savedDraft({ regime: 'dora' })
    // typed by hand, and never a fact of the company
    await save({ contact_2_name: 'Berit', parent_name: 'Another holding' })
    const changedAt = wait()
    await set({ contact_1_name: null, parent_name: null })
    wait()
    await set({ contact_1_phone: '+47 2' })
    const { kept, values } = await draft()
    expect(values).toMatchObject({ contact_1_name: 'Ada', contact_2_name: 'Berit' })
    expect(kept.filter(({ with: place }) => place === 'company')).toEqual([
      { field: 'contact_1_phone', value: '+47 2', with: 'company', changedAt: expect.any(String) as string },
      { field: 'contact_1_name', value: '', with: 'company', changedAt },
    ])
    await save({ contact_1_name: '' })
    expect((await draft()).kept.map(({ field }) => field)).toEqual(['contact_1_phone'])
  })

  it('of the facts of the product', async () => {
    const family = await idOf(scene.as('lead').call(createFamily, { body: { name: 'No longer important' } }))
    const facts = (body: BodyOf<typeof changeProductFacts>) =>
      scene.as('lead').call(changeProductFacts, { params: { family }, body })
    await facts({ memberStates: ['SE', 'DE'], productType: 'important', productClass: 'class_1' })
    const { draft, wait } = await savedDraft({ families: [family] })
    expect((await draft()).values).toMatchObject({ '5': ['DE', 'SE'], '8': 'important', '9': 'class_1' })
    const changedAt = wait()
    await facts({ memberStates: [], productClass: null })
    expect((await draft()).kept).toEqual([
      { field: '8', value: 'important', with: 'family', changedAt },
      { ...says('5', [], changedAt), with: 'family' },
      { ...says('9', '', changedAt), with: 'family' },
    ])
  })
})

it('a draft of an earlier cycle is about the facts of then', async () => {
  const { draft, id, change, wait } = await savedDraft({})
  await scene.closeAnyhow(id.params.incident)
  wait()
  const body = { reason, as: 'new_evidence' as const, awareAt: at('10:00') }
  await scene.as('lead').call(reopenIncident, { ...id, body })
  wait()
  await change({ occurredAt: at('09:45') })
  expect(await draft()).toMatchObject({ cycle: 1, kept: [] })
})

it('a draft names the versions and components that have become affected since', async () => {
  const rows = await createIncidentScene()
  try {
    const family = await rows.family('Pump')
    const [one, two] = [await addVersion(rows.db, family, '1.4'), await addVersion(rows.db, family, '1.5')]
    await rows.addRecord(rows.record('GHSA-1', 'pump-lib', { aliases: ['CVE-2026-1234'], score: 9.8 }))
    await rows.list('CVE-2026-1234')
    await rows.upload(family, [pump()], { versionId: one })
    await rows.look(family)
    const [incident] = await rows.incidents()
    const incidentId = incident?.id ?? ''
    const [report] = await rows.reports(incidentId)
    const place = { workspaceId: rows.workspaceId, incidentId, reportId: report?.id ?? '' }
    const { values, kept } = await readDraft(rows.db, { ...place, now: after(1) })
    expect([values['7'], values['12'], kept]).toEqual(['1.4', 'pump-lib 1.0.0', []])
    const act = { ...place, actor: await rows.member('editor'), now: after(1) }
    await storeDraft(rows.db, act, { revision: 0, values })
    await rows.upload(family, [pump('1.1.0')], { versionId: two, now: after(2) })
    await rows.look(family, after(2))
    const changedAt = after(2).toISOString()
    expect((await readDraft(rows.db, { ...place, now: after(3) })).kept).toEqual([
      says('7', '1.4, 1.5', changedAt),
      says('12', 'pump-lib 1.0.0, pump-lib 1.1.0', changedAt),
    ])
    await storeDraft(
      rows.db,
      { ...act, now: after(3) },
      { revision: 1, values: { ...values, '7': '1.4, 1.5' } },
    )
    await rows.upload(family, [pump('2.0.0')], { versionId: one, now: after(4) })
    await rows.look(family, after(4))
    const { kept: since, values: said } = await readDraft(rows.db, { ...place, now: after(5) })
    expect(said).toMatchObject({ '7': '1.4, 1.5', '12': 'pump-lib 1.0.0' })
    const leftAt = after(4).toISOString()
    expect(since.filter(({ left }) => left !== undefined)).toEqual([
      { ...says('7', '1.4, 1.5', leftAt), left: '1.4' },
      { ...says('12', 'pump-lib 1.0.0', leftAt), left: 'pump-lib 1.0.0' },
    ])
  } finally {
    await rows.drop()
  }
})
