import { afterAll, beforeAll, expect, it } from 'vitest'
import type { DeterminationValue } from '../../src/contract/incidents/words.ts'
import { changeRegimeSettings, getIncident } from '../../src/contract/incidents/operations.ts'
import {
  changeAwareness,
  decideAwareness,
  decideDetermination,
  recordDetermination,
  switchRegime,
} from '../../src/contract/incidents/act-operations.ts'
import { openActScene, reason, type ActScene } from './act-scene.ts'

/** Only entities that report under DORA classify incidents under it: their page offers it, and nobody else can start its clocks. */

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

const reportUnderDora = (dora: boolean) => scene.as('owner').call(changeRegimeSettings, { body: { dora } })
const detailOf = (incident: string) => scene.as('editor').call(getIncident, { params: { incident } })
const refused = (incident: string, value: DeterminationValue) =>
  scene
    .as('editor')
    .refused(recordDetermination, { params: { incident }, body: { value, reasoning: reason } })

it.each(['dora_major', 'dora_not_major'] as const)(
  '%s is refused where the workspace does not report under DORA, and has begun nothing',
  async (value) => {
    const { incident, detail } = await scene.openIn('open')
    expect(detail.determinationScopes).toEqual(['cra'])
    const { status, body } = await refused(incident, value)
    expect([status, body.error]).toEqual([409, 'conflict'])
    expect(body.message).toContain('Settings, Regimes')
    const after = await detailOf(incident)
    expect(after.determinations).toEqual([])
    expect(after.regimes.map(({ regime }) => regime)).not.toContain('dora')
  },
)

it('is offered where it does, before anybody has classified the incident', async () => {
  await reportUnderDora(true)
  const subject = await scene.openIn('open')
  expect(subject.detail.determinationScopes).toEqual(['cra', 'dora'])
  await scene.record(subject, 'dora_major')
  const { reports } = await detailOf(subject.incident)
  expect(reports.filter(({ regime }) => regime === 'dora')).toHaveLength(3)
})

it('can still be changed when the workspace no longer reports under DORA', async () => {
  await reportUnderDora(true)
  const subject = await scene.openIn('open')
  const id = await scene.record(subject, 'dora_major')
  await scene.as('lead').call(decideDetermination, {
    params: { incident: subject.incident, determination: id },
    body: { approve: true },
  })
  await reportUnderDora(false)
  expect((await detailOf(subject.incident)).determinationScopes).toEqual(['cra', 'dora'])
  await scene.record(subject, 'dora_not_major')
})

it('has the times it had first when DORA was switched off by two people and is classified again', async () => {
  await reportUnderDora(true)
  const subject = await scene.openIn('open')
  const { incident } = subject
  const approve = { approve: true }
  const first = await scene.record(subject, 'dora_major')
  await scene
    .as('lead')
    .call(decideDetermination, { params: { incident, determination: first }, body: approve })
  const dueOf = async () =>
    (await detailOf(incident)).reports.find(({ report }) => report === 'initial_notification')
  const before = await dueOf()
  expect(before?.status).toBe('open')

  const off = { regime: 'dora' as const, active: false, reason }
  await scene.as('lead').call(switchRegime, { params: { incident }, body: off })
  const change = (await detailOf(incident)).awareness.find(({ state }) => state === 'pending')
  await scene
    .as('owner')
    .call(decideAwareness, { params: { incident, change: change?.id ?? '' }, body: approve })
  expect((await dueOf())?.status).toBe('not_required')

  scene.wait(3600)
  await scene.record(subject, 'dora_major')
  expect((await dueOf())?.dueAt).toBe(before?.dueAt)
})

it('is due later after an earlier awareness only when a second person agrees: it was then classified after 24 hours', async () => {
  await reportUnderDora(true)
  const subject = await scene.openIn('open')
  const { incident } = subject
  const initial = async () =>
    (await detailOf(incident)).reports.find(({ report }) => report === 'initial_notification')?.dueAt
  // aware since 08:00
  scene.wait((Date.parse('2026-11-03T07:00:00Z') - scene.now().getTime()) / 1000)
  await scene.record(subject, 'dora_major')
  expect(await initial()).toBe('2026-11-03T08:00:00.000Z')
  const change = (awareAt: string) =>
    scene.as('lead').call(changeAwareness, { params: { incident }, body: { awareAt, reason } })
  expect((await change('2026-11-02T07:30:00Z')).waits).toBe(false)
  expect(await initial()).toBe('2026-11-03T07:30:00.000Z')
  const { id, waits } = await change('2026-11-02T06:00:00Z')
  expect(waits).toBe(true)
  expect(await initial()).toBe('2026-11-03T07:30:00.000Z')
  const params = { incident, change: id }
  await scene.as('owner').call(decideAwareness, { params, body: { approve: true } })
  expect(await initial()).toBe('2026-11-03T11:00:00.000Z')
})
