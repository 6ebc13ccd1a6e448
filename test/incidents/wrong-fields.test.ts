import { afterAll, beforeAll, expect, test } from 'vitest'
import { openIncident } from '../../src/contract/incidents/operations.ts'
import {
  addTask,
  changeAwareness,
  changeFacts,
  closeIncident,
  decideDetermination,
  recordDetermination,
  recordInformed,
  reopenIncident,
  switchRegime,
} from '../../src/contract/incidents/act-operations.ts'
import {
  correctSubmission,
  recordSubmission,
  waiveReport,
} from '../../src/contract/incidents/report-operations.ts'
import type { Refused } from '../support/app-session.ts'
import { filing, openActScene, reason, reportOf, type ActScene, type ActSubject } from './act-scene.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

const as: ActScene['as'] = (role) => scene.as(role)
const record: ActScene['record'] = (...given) => scene.record(...given)
const file: ActScene['file'] = (place) => scene.file(place)

type Wrong = { act: string; field: string; does: (place: ActSubject) => Promise<Refused> }
const later = '2026-11-02T10:00:01Z'
const earlier = '2026-11-02T07:59:59Z'
const tooShort = 'x'.repeat(19)

const determined =
  (body: object): Wrong['does'] =>
  ({ incident }) =>
    as('editor').refused(recordDetermination, { params: { incident }, body })

const wrong: Wrong[] = [
  {
    act: 'opening by hand, aware in the future',
    field: 'awareAt',
    does: () =>
      as('editor').refused(openIncident, {
        body: { kind: 'severe_incident', title: 'x', families: [], awareAt: later },
      }),
  },
  {
    act: 'opening by hand, occurred in the future',
    field: 'occurredAt',
    does: () =>
      as('editor').refused(openIncident, {
        body: { kind: 'severe_incident', title: 'x', families: [], occurredAt: later },
      }),
  },
  {
    act: 'awareness in the future',
    field: 'awareAt',
    does: ({ incident }) =>
      as('lead').refused(changeAwareness, { params: { incident }, body: { awareAt: later, reason } }),
  },
  {
    act: 'awareness with a short reason',
    field: 'reason',
    does: ({ incident }) =>
      as('lead').refused(changeAwareness, {
        params: { incident },
        body: { awareAt: earlier, reason: tooShort },
      }),
  },
  {
    act: 'a measure in the future',
    field: 'measureAvailableAt',
    does: ({ incident }) =>
      as('editor').refused(changeFacts, { params: { incident }, body: { measureAvailableAt: later } }),
  },
  {
    act: 'a short reasoning',
    field: 'reasoning',
    does: determined({ value: 'not_severe', reasoning: tooShort }),
  },
  {
    act: 'a reasoning of 19 letters among spaces',
    field: 'reasoning',
    does: determined({ value: 'not_severe', reasoning: `  ${tooShort}\n ` }),
  },
  {
    act: 'a value of another kind of incident',
    field: 'value',
    does: determined({ value: 'not_exploited', reasoning: reason }),
  },
  {
    act: 'classified in the future',
    field: 'classifiedAt',
    does: determined({
      value: 'dora_major',
      reasoning: reason,
      classifiedAt: later,
    }),
  },
  {
    act: 'classified before the awareness',
    field: 'classifiedAt',
    does: determined({
      value: 'dora_major',
      reasoning: reason,
      classifiedAt: earlier,
    }),
  },
  {
    act: 'a rejection without a comment',
    field: 'comment',
    does: async (place) => {
      const on = await record(place, 'not_severe')
      return as('lead').refused(decideDetermination, {
        params: { incident: place.incident, determination: on },
        body: { approve: false, comment: ' ' },
      })
    },
  },
  {
    act: 'switching off without a reason',
    field: 'reason',
    does: ({ incident }) =>
      as('lead').refused(switchRegime, { params: { incident }, body: { regime: 'gdpr', active: false } }),
  },
  {
    act: 'DORA without a classification',
    field: 'regime',
    does: ({ incident }) =>
      as('lead').refused(switchRegime, { params: { incident }, body: { regime: 'dora', active: true } }),
  },
  {
    act: 'a submission in the future',
    field: 'submittedAt',
    does: (place) =>
      as('editor').refused(recordSubmission, {
        params: reportOf(place),
        body: filing({ submittedAt: later }),
      }),
  },
  {
    act: 'a submission before the awareness',
    field: 'submittedAt',
    does: (place) =>
      as('editor').refused(recordSubmission, {
        params: reportOf(place),
        body: filing({ submittedAt: earlier }),
      }),
  },
  {
    act: 'an update of an early warning',
    field: 'kind',
    does: async (place) => {
      await file(place)
      return as('editor').refused(recordSubmission, {
        params: reportOf(place),
        body: filing({ kind: 'update' }),
      })
    },
  },
  {
    act: 'a late submission without a reason',
    field: 'delayReason',
    does: async (place) => {
      const awareAt = '2026-11-01T09:00:00Z'
      await as('lead').call(changeAwareness, {
        params: { incident: place.incident },
        body: { awareAt, reason },
      })
      return as('editor').refused(recordSubmission, { params: reportOf(place), body: filing() })
    },
  },
  {
    act: 'a correction to a time in the future',
    field: 'submittedAt',
    does: async (place) => {
      const on = await file(place)
      return as('lead').refused(correctSubmission, {
        params: { incident: place.incident, submission: on },
        body: { submittedAt: later, reason },
      })
    },
  },
  {
    act: 'a waiver with a short reason',
    field: 'reason',
    does: (place) =>
      as('lead').refused(waiveReport, { params: reportOf(place, 'gdpr'), body: { reason: tooShort } }),
  },
  {
    act: 'users informed in the future',
    field: 'at',
    does: ({ incident }) =>
      as('lead').refused(recordInformed, {
        params: { incident },
        body: { who: 'users', how: 'By mail.', at: later },
      }),
  },
  {
    act: 'a task that was due already',
    field: 'dueAt',
    does: ({ incident }) =>
      as('editor').refused(addTask, { params: { incident }, body: { title: 'Answer', dueAt: earlier } }),
  },
  {
    act: 'closing without a reason',
    field: 'reason',
    does: ({ incident }) =>
      as('lead').refused(closeIncident, { params: { incident }, body: { reason: ' ' } }),
  },
  {
    act: 'reopening with a short reason',
    field: 'reason',
    does: async ({ incident }) => {
      await scene.closeAnyhow(incident)
      return as('lead').refused(reopenIncident, {
        params: { incident },
        body: { reason: tooShort, as: 'same_facts' },
      })
    },
  },
  {
    act: 'reopening, aware in the future',
    field: 'awareAt',
    does: async ({ incident }) => {
      await scene.closeAnyhow(incident)
      return as('lead').refused(reopenIncident, {
        params: { incident },
        body: { reason, as: 'new_evidence', awareAt: later },
      })
    },
  },
]

test.each(wrong)('$act is refused at the field $field', async ({ field, does }) => {
  const { status, body } = await does(await scene.openIn('open'))
  expect(status, JSON.stringify(body)).toBe(400)
  expect(body).toMatchObject({ error: 'invalid_request' })
  expect(Object.keys(body.fields ?? {})).toEqual([field])
})
