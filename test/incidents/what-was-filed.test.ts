import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IncidentDetail, ReportDraftDetail } from '../../src/contract/incidents/shapes.ts'
import type { IncidentEvidence } from '../../src/contract/incidents/incident-evidence.ts'
import type { DraftValues } from '../../src/contract/incidents/report-drafts.ts'
import { filing, openActScene, reportOf, type ActScene, type Place } from './act-scene.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

const draftOf = async (report: string) =>
  (await scene.ask('editor', `${report}/draft`, undefined, 'GET')).body as ReportDraftDetail

/** What the evidence file says was filed, by report. */
async function kept({ path }: Place): Promise<Map<string, DraftValues>> {
  const evidence = (await scene.ask('lead', `${path}/evidence`, undefined, 'GET')).body as IncidentEvidence
  return new Map(
    evidence.submissions.map(({ report, draft }) => [
      report,
      Object.fromEntries((draft?.fields ?? []).map(({ id, value }) => [id, value])),
    ]),
  )
}

async function submissionsOf({ path }: Place) {
  return ((await scene.ask('lead', path, undefined, 'GET')).body as IncidentDetail).submissions
}

const idOf = (report: string) => report.split('/').at(-1) ?? ''

test('a draft that was never saved is kept as the page showed it: made from what is known', async () => {
  const place = await scene.openIn('open')
  const report = reportOf(place)
  const { values, revision } = await draftOf(report)
  expect(revision).toBe(0)
  await scene.file(place)
  const [submission] = await submissionsOf(place)
  expect(submission?.hasDraft).toBe(true)
  expect((await kept(place)).get('early_warning')).toMatchObject({ '2': values['2'] })
})

test('text that is not saved is kept as it was typed, of each report that the filing covers, and not as a draft', async () => {
  const place = await scene.openIn('open')
  const report = reportOf(place)
  const notification = place.detail.reports.find(
    (one) => one.regime === 'cra' && one.report === 'notification',
  )
  const { values } = await draftOf(report)
  const saved = { revision: 0, values: { ...values, '3': 'Saved an hour ago.' } }
  await scene.done(scene.ask('editor', `${report}/draft`, saved, 'PATCH'))
  const texts = {
    [idOf(report)]: { ...values, '3': 'Typed, not saved.' },
    [notification?.id ?? '']: { '3': 'Typed for the second.' },
  }
  const alsoCovers = [notification?.id ?? '']
  await scene.done(scene.ask('editor', `${report}/submissions`, filing({ alsoCovers, texts })))
  const words = await kept(place)
  expect(words.get('early_warning')).toMatchObject({ '3': 'Typed, not saved.' })
  expect(words.get('notification')).toEqual({ '3': 'Typed for the second.' })
  expect((await draftOf(report)).values['3']).toBe('Saved an hour ago.')
})

test('an amendment keeps its own text', async () => {
  const place = await scene.openIn('open')
  const report = reportOf(place)
  await scene.file(place)
  // recorded later, so that the evidence file lists it after what it amends
  scene.wait(60)
  const texts = { [idOf(report)]: { '3': 'What we know now.' } }
  await scene.done(scene.ask('editor', `${report}/submissions`, filing({ kind: 'amendment', texts })))
  expect((await submissionsOf(place)).every(({ hasDraft }) => hasDraft)).toBe(true)
  expect((await kept(place)).get('early_warning')).toEqual({ '3': 'What we know now.' })
})

test('text that no draft can hold is refused by field, and nothing is recorded', async () => {
  const place = await scene.openIn('open')
  const report = reportOf(place)
  const texts = { [idOf(report)]: { '3': 'x'.repeat(20_001) } }
  const refused = await scene.ask('editor', `${report}/submissions`, filing({ texts }))
  expect(refused).toMatchObject({ status: 400, body: { fields: { '3': 'At most 20000 characters.' } } })
  expect(await submissionsOf(place)).toEqual([])
})
