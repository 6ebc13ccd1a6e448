import { afterAll, beforeAll, expect, it } from 'vitest'
import { entryWords } from '../../src/contract/incidents/entry-words.ts'
import {
  changeAwareness,
  decideAwareness,
  switchRegime,
} from '../../src/contract/incidents/act-operations.ts'
import { getIncident, listIncidentEntries } from '../../src/contract/incidents/operations.ts'
import { getDraft, saveDraft } from '../../src/contract/incidents/report-operations.ts'
import { openActScene, reason, reportOf, type ActScene } from './act-scene.ts'

/** Aware since 08:00. An earlier time counts at once, also while something waits for a second person: the deadlines that it moves do not wait. */

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

const at = (time: string) => `2026-11-02T${time}:00.000Z`
const detailOf = (incident: string) => scene.as('lead').call(getIncident, { params: { incident } })
const waitingOf = async (incident: string) =>
  (await detailOf(incident)).awareness.find(({ state }) => state === 'pending')
const changed = (incident: string, awareAt: string) => ({ params: { incident }, body: { awareAt, reason } })
const wordsOf = async (incident: string) =>
  (await scene.as('lead').call(listIncidentEntries, { params: { incident } })).rows.map(entryWords)

/** Another time, asked for by a lead. */
async function askLater(awareAt: string) {
  const { incident, detail } = await scene.openIn('open')
  const { id: change } = await scene.as('lead').call(changeAwareness, changed(incident, awareAt))
  return { incident, change, detail }
}

it('an earlier time counts at once and ends the later one that waited', async () => {
  const { incident, change } = await askLater(at('09:00'))
  const notes = await scene.notesTo('lead')
  const answer = await scene.as('owner').call(changeAwareness, changed(incident, at('06:00')))
  expect(answer.waits).toBe(false)

  const after = await detailOf(incident)
  expect(after.awareAt).toBe(at('06:00'))
  expect(after.reports[0]).toMatchObject({ report: 'early_warning', dueAt: '2026-11-03T06:00:00.000Z' })
  expect(after.awareness.find(({ id }) => id === change)).toMatchObject({
    state: 'superseded',
    from: at('08:00'),
    to: at('09:00'),
    decidedBy: 'owner of acme',
    selfApproved: false,
  })
  expect(after.blockers).not.toContain('awareness_pending')
  expect(await wordsOf(incident)).toEqual(
    expect.arrayContaining([
      'Ended the change of the time of awareness from 2 Nov 2026, 08:00:00 UTC to 2 Nov 2026, 09:00:00 UTC, which waited for a second person: an earlier time counts now.',
      'Changed the time of awareness from 2 Nov 2026, 08:00:00 UTC to 2 Nov 2026, 06:00:00 UTC.',
    ]),
  )
  expect(await scene.notesTo('lead')).toBe(notes + 1)

  // whoever has its page open approves nothing
  const decision = { params: { incident, change }, body: { approve: true } }
  const late = await scene.as('owner').refused(decideAwareness, decision)
  expect(late.status).toBe(409)
  expect(late.body.message).toContain('superseded by owner of acme')
  expect((await detailOf(incident)).awareAt).toBe(at('06:00'))

  await scene.as('lead').call(changeAwareness, changed(incident, at('09:00')))
  const again = await waitingOf(incident)
  expect(again).toMatchObject({ from: at('06:00'), to: at('09:00') })
})

it('by whoever asked for the later one, too, who is not told', async () => {
  const { incident, change } = await askLater(at('09:00'))
  const notes = await scene.notesTo('lead')
  await scene.as('lead').call(changeAwareness, changed(incident, at('07:00')))
  const { awareAt, awareness } = await detailOf(incident)
  expect(awareAt).toBe(at('07:00'))
  expect(awareness.find(({ id }) => id === change)?.state).toBe('superseded')
  expect(await scene.notesTo('lead')).toBe(notes)
})

it.each([
  ['a second later time', at('09:30')],
  ['a time so early that the act did not apply', '2026-09-01T00:00:00.000Z'],
])('%s has to wait itself, and is refused while one waits', async (_what, awareAt) => {
  const { incident, change } = await askLater(at('09:00'))
  expect((await scene.as('owner').ask(changeAwareness, changed(incident, awareAt))).status).toBe(409)
  expect((await detailOf(incident)).awareAt).toBe(at('08:00'))
  expect(await waitingOf(incident)).toMatchObject({ id: change, to: at('09:00') })
})

it('a member who may not change it ends nothing', async () => {
  const { incident, change } = await askLater(at('09:00'))
  expect((await scene.as('editor').ask(changeAwareness, changed(incident, at('06:00')))).status).toBe(403)
  expect((await waitingOf(incident))?.id).toBe(change)
})

it('the end of a regime that waits goes on waiting, and is approved as before', async () => {
  const { incident } = await scene.openIn('open')
  const off = { regime: 'gdpr' as const, active: false, reason }
  await scene.as('lead').call(switchRegime, { params: { incident }, body: off })
  const waiting = await waitingOf(incident)
  expect((await scene.as('owner').call(changeAwareness, changed(incident, at('06:00')))).waits).toBe(false)

  const meanwhile = await detailOf(incident)
  expect(meanwhile.awareAt).toBe(at('06:00'))
  expect(await waitingOf(incident)).toEqual(waiting)
  const gdpr = async () => (await detailOf(incident)).reports.find(({ regime }) => regime === 'gdpr')
  expect(await gdpr()).toMatchObject({ status: 'open', dueAt: '2026-11-05T06:00:00.000Z' })

  const params = { incident, change: waiting?.id ?? '' }
  await scene.as('owner').call(decideAwareness, { params, body: { approve: true } })
  expect((await gdpr())?.status).toBe('not_required')
  expect((await detailOf(incident)).awareAt).toBe(at('06:00'))
})

it.each([
  ['cra', 'i37'],
  ['gdpr', 'aware_at'],
] as const)('a draft of %s that was saved before says which time counts now', async (regime, field) => {
  const subject = await scene.openIn('open')
  const params = reportOf(subject, regime)
  const draft = () => scene.as('editor').call(getDraft, { params })
  const { values, kept } = await draft()
  expect([values[field], kept]).toEqual(['2026-11-02T08:00:00Z', []])
  await scene.as('editor').call(saveDraft, { params, body: { revision: 0, values } })
  scene.wait(60)
  const changedAt = scene.now().toISOString()
  await scene.as('lead').call(changeAwareness, changed(subject.incident, at('06:00')))

  const after = await draft()
  expect(after.values[field]).toBe('2026-11-02T08:00:00Z')
  expect(after.kept).toEqual([{ field, value: '2026-11-02T06:00:00Z', with: 'incident', changedAt }])

  // one that waits counts once it is approved
  scene.wait(60)
  const asked = await scene.as('lead').call(changeAwareness, changed(subject.incident, at('07:00')))
  expect((await draft()).kept).toEqual(after.kept)
  const decision = { params: { incident: subject.incident, change: asked.id }, body: { approve: true } }
  scene.wait(60)
  await scene.as('owner').call(decideAwareness, decision)
  const approvedAt = scene.now().toISOString()
  expect((await draft()).kept).toEqual([
    { field, value: '2026-11-02T07:00:00Z', with: 'incident', changedAt: approvedAt },
  ])
})
