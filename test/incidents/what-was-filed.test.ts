import { afterAll, beforeAll, expect, test } from 'vitest'
import { IncidentEvidence } from '../../src/contract/incidents/incident-evidence.ts'
import type { DraftValues } from '../../src/contract/incidents/report-drafts.ts'
import {
  exportIncident,
  getDraft,
  recordSubmission,
  saveDraft,
} from '../../src/contract/incidents/report-operations.ts'
import { getIncident } from '../../src/contract/incidents/operations.ts'
import { filing, openActScene, reportOf, type ActScene, type ActSubject } from './act-scene.ts'
import { readAs } from '../support/read-as.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

const draftOf = (report: ReturnType<typeof reportOf>) => scene.as('editor').call(getDraft, { params: report })

/** What the evidence file lists as filed, by report. */
async function kept({ incident }: ActSubject): Promise<Map<string, DraftValues>> {
  const evidence = readAs(
    IncidentEvidence,
    (await scene.as('lead').ask(exportIncident, { params: { incident } })).body,
  )
  return new Map(
    evidence.submissions.map(({ report, draft }) => [
      report,
      Object.fromEntries((draft?.fields ?? []).map(({ id, value }) => [id, value])),
    ]),
  )
}

async function submissionsOf({ incident }: ActSubject) {
  return (await scene.as('lead').call(getIncident, { params: { incident } })).submissions
}

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
  await scene.as('editor').call(saveDraft, { params: report, body: saved })
  const texts = {
    [report.report]: { ...values, '3': 'Typed, not saved.' },
    [notification?.id ?? '']: { '3': 'Typed for the second.' },
  }
  const alsoCovers = [notification?.id ?? '']
  await scene.as('editor').call(recordSubmission, { params: report, body: filing({ alsoCovers, texts }) })
  const words = await kept(place)
  expect(words.get('early_warning')).toMatchObject({ '3': 'Typed, not saved.' })
  expect(words.get('notification')).toEqual({ '3': 'Typed for the second.' })
  expect((await draftOf(report)).values['3']).toBe('Saved an hour ago.')
})

test('an amendment keeps its own text', async () => {
  const place = await scene.openIn('open')
  const report = reportOf(place)
  await scene.file(place)
  // recorded later, so that the evidence file lists it after the entry it amends
  scene.wait(60)
  const texts = { [report.report]: { '3': 'What we know now.' } }
  await scene
    .as('editor')
    .call(recordSubmission, { params: report, body: filing({ kind: 'amendment', texts }) })
  expect((await submissionsOf(place)).every(({ hasDraft }) => hasDraft)).toBe(true)
  expect((await kept(place)).get('early_warning')).toEqual({ '3': 'What we know now.' })
})

test('an amendment that is sent again, since its answer was lost, is recorded once', async () => {
  const place = await scene.openIn('open')
  const report = reportOf(place)
  await scene.file(place)
  scene.wait(60)
  const send = (given: Parameters<typeof filing>[0]) =>
    scene.as('editor').call(recordSubmission, {
      params: report,
      body: filing({ kind: 'amendment', reference: 'CRA-1', ...given }),
    })
  const texts = { [report.report]: { '3': 'What we know now.' } }
  const first = await send({ texts })
  scene.wait(60)
  expect(await send({ texts })).toEqual(first)
  expect(await send({ texts: { [report.report]: { '3': 'And more.' } } })).not.toEqual(first)
  expect(await send({ texts, reference: 'CRA-2' })).not.toEqual(first)
  expect(await submissionsOf(place)).toHaveLength(4)
})

test('text that no draft can hold is refused by field, and nothing is recorded', async () => {
  const place = await scene.openIn('open')
  const report = reportOf(place)
  const texts = { [report.report]: { '3': 'x'.repeat(20_001) } }
  const refused = await scene
    .as('editor')
    .refused(recordSubmission, { params: report, body: filing({ texts }) })
  expect(refused).toMatchObject({ status: 400, body: { fields: { '3': 'At most 20000 characters.' } } })
  expect(await submissionsOf(place)).toEqual([])
})
