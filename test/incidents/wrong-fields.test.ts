import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Answer } from '../support/http.ts'
import { filing, openActScene, reason, reportOf, type ActScene, type Place } from './act-scene.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
}, 120_000)
afterAll(() => scene.close())

const ask: ActScene['ask'] = (...asked) => scene.ask(...asked)
const done: ActScene['done'] = (answer) => scene.done(answer)
const record: ActScene['record'] = (...given) => scene.record(...given)
const file: ActScene['file'] = (place) => scene.file(place)

type Wrong = { act: string; field: string; does: (place: Place) => Promise<Answer> }
const later = '2026-11-02T10:00:01Z'
const earlier = '2026-11-02T07:59:59Z'
const tooShort = 'x'.repeat(19)

const wrong: Wrong[] = [
  {
    act: 'opening by hand, aware in the future',
    field: 'awareAt',
    does: () =>
      ask('editor', '/incidents', { kind: 'severe_incident', title: 'x', families: [], awareAt: later }),
  },
  {
    act: 'opening by hand, occurred in the future',
    field: 'occurredAt',
    does: () =>
      ask('editor', '/incidents', { kind: 'severe_incident', title: 'x', families: [], occurredAt: later }),
  },
  {
    act: 'awareness in the future',
    field: 'awareAt',
    does: ({ path }) => ask('lead', `${path}/awareness`, { awareAt: later, reason }),
  },
  {
    act: 'awareness with a short reason',
    field: 'reason',
    does: ({ path }) => ask('lead', `${path}/awareness`, { awareAt: earlier, reason: tooShort }),
  },
  {
    act: 'a measure in the future',
    field: 'measureAvailableAt',
    does: ({ path }) => ask('editor', path, { measureAvailableAt: later }, 'PATCH'),
  },
  {
    act: 'a short reasoning',
    field: 'reasoning',
    does: ({ path }) => ask('editor', `${path}/determinations`, { value: 'not_severe', reasoning: tooShort }),
  },
  {
    act: 'a reasoning of 19 letters among spaces',
    field: 'reasoning',
    does: ({ path }) =>
      ask('editor', `${path}/determinations`, { value: 'not_severe', reasoning: `  ${tooShort}\n ` }),
  },
  {
    act: 'a value of another kind of incident',
    field: 'value',
    does: ({ path }) =>
      ask('editor', `${path}/determinations`, { value: 'not_exploited', reasoning: reason }),
  },
  {
    act: 'classified in the future',
    field: 'classifiedAt',
    does: ({ path }) =>
      ask('editor', `${path}/determinations`, {
        value: 'dora_major',
        reasoning: reason,
        classifiedAt: later,
      }),
  },
  {
    act: 'classified before the awareness',
    field: 'classifiedAt',
    does: ({ path }) =>
      ask('editor', `${path}/determinations`, {
        ...{ value: 'dora_major', reasoning: reason },
        classifiedAt: earlier,
      }),
  },
  {
    act: 'a rejection without a comment',
    field: 'comment',
    does: async (place) => {
      const on = await record(place, 'not_severe')
      return ask('lead', `${place.path}/determinations/${on}/decision`, { approve: false, comment: ' ' })
    },
  },
  {
    act: 'switching off without a reason',
    field: 'reason',
    does: ({ path }) => ask('lead', `${path}/regimes`, { regime: 'gdpr', active: false }),
  },
  {
    act: 'DORA without a classification',
    field: 'regime',
    does: ({ path }) => ask('lead', `${path}/regimes`, { regime: 'dora', active: true }),
  },
  {
    act: 'a submission in the future',
    field: 'submittedAt',
    does: (place) => ask('editor', `${reportOf(place)}/submissions`, filing({ submittedAt: later })),
  },
  {
    act: 'a submission before the awareness',
    field: 'submittedAt',
    does: (place) => ask('editor', `${reportOf(place)}/submissions`, filing({ submittedAt: earlier })),
  },
  {
    act: 'an update of an early warning',
    field: 'kind',
    does: async (place) => {
      await file(place)
      return ask('editor', `${reportOf(place)}/submissions`, filing({ kind: 'update' }))
    },
  },
  {
    act: 'a late submission without a reason',
    field: 'delayReason',
    does: async (place) => {
      const awareAt = '2026-11-01T09:00:00Z'
      await done(ask('lead', `${place.path}/awareness`, { awareAt, reason }))
      return ask('editor', `${reportOf(place)}/submissions`, filing())
    },
  },
  {
    act: 'a correction to a time in the future',
    field: 'submittedAt',
    does: async (place) => {
      const on = await file(place)
      return ask('lead', `${place.path}/submissions/${on}`, { submittedAt: later, reason }, 'PATCH')
    },
  },
  {
    act: 'a waiver with a short reason',
    field: 'reason',
    does: (place) => ask('lead', `${reportOf(place, 'gdpr')}/waiver`, { reason: tooShort }),
  },
  {
    act: 'users informed in the future',
    field: 'at',
    does: ({ path }) => ask('lead', `${path}/informed`, { who: 'users', how: 'By mail.', at: later }),
  },
  {
    act: 'a task that was due already',
    field: 'dueAt',
    does: ({ path }) => ask('editor', `${path}/tasks`, { title: 'Answer', dueAt: earlier }),
  },
  {
    act: 'closing without a reason',
    field: 'reason',
    does: ({ path }) => ask('lead', `${path}/close`, { reason: ' ' }),
  },
  {
    act: 'reopening with a short reason',
    field: 'reason',
    does: async ({ path, id }) => {
      await scene.closeAnyhow(id)
      return ask('lead', `${path}/reopen`, { reason: tooShort, as: 'same_facts' })
    },
  },
  {
    act: 'reopening, aware in the future',
    field: 'awareAt',
    does: async ({ path, id }) => {
      await scene.closeAnyhow(id)
      return ask('lead', `${path}/reopen`, { reason, as: 'new_evidence', awareAt: later })
    },
  },
]

test.each(wrong)('$act is refused at the field $field', async ({ field, does }) => {
  const { status, body } = await does(await scene.openIn('open'))
  expect(status, JSON.stringify(body)).toBe(400)
  expect(body).toMatchObject({ error: 'invalid_request' })
  expect(Object.keys((body as { fields: object }).fields)).toEqual([field])
})
