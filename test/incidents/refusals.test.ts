import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import { openIncident } from '../../src/contract/incidents/operations.ts'
import {
  addComment,
  addTask,
  assignIncident,
  changeAwareness,
  changeFacts,
  closeIncident,
  completeTask,
  decideAwareness,
  decideDetermination,
  recordDetermination,
  recordInformed,
  reopenIncident,
  switchRegime,
  withdrawAwareness,
  withdrawDetermination,
} from '../../src/contract/incidents/act-operations.ts'
import {
  correctSubmission,
  exportIncident,
  recordSubmission,
  saveDraft,
  waiveReport,
} from '../../src/contract/incidents/report-operations.ts'
import type { Answer } from '../support/http.ts'
import {
  filing,
  idOf,
  openActScene,
  reason,
  reportOf,
  states,
  type ActScene,
  type ActSubject,
} from './act-scene.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
})
afterAll(() => scene.close())

const as: ActScene['as'] = (role) => scene.as(role)
const record: ActScene['record'] = (...given) => scene.record(...given)
const file: ActScene['file'] = (place) => scene.file(place)

type Row = {
  act: string
  /** The lowest role that is allowed. */
  role: Role
  /** The status in each state, in the order of `states`; null: impossible. */
  answers: (number | null)[]
  /** Prepares a fully entitled workspace. Returns the object of the act. */
  before?: (place: ActSubject) => Promise<string>
  does: (place: ActSubject, on: string, role: Role) => Promise<Answer>
}

const rows: Row[] = [
  {
    act: 'open by hand',
    role: 'editor',
    answers: [201, 201, 201, 402, 402, 402],
    does: (_place, _on, role) =>
      as(role).ask(openIncident, { body: { kind: 'severe_incident', title: 'Another one', families: [] } }),
  },
  {
    act: 'record a determination',
    role: 'editor',
    answers: [201, 201, 409, 201, 201, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(recordDetermination, {
        params: { incident },
        body: { value: 'not_severe', reasoning: reason },
      }),
  },
  {
    act: 'record a second one while the first waits',
    role: 'editor',
    answers: [409, 409, 409, 409, 409, 402],
    before: (place) => record(place, 'not_severe', 'lead'),
    does: ({ incident }, _on, role) =>
      as(role).ask(recordDetermination, {
        params: { incident },
        body: { value: 'severe_incident', reasoning: reason },
      }),
  },
  {
    act: 'approve a determination',
    role: 'lead',
    answers: [204, 204, 409, 204, 204, 402],
    before: (place) => record(place, 'not_severe'),
    does: ({ incident }, on, role) =>
      as(role).ask(decideDetermination, { params: { incident, determination: on }, body: { approve: true } }),
  },
  {
    act: 'approve one’s own',
    role: 'lead',
    answers: [403, 403, 409, 403, 403, 402],
    before: (place) => record(place, 'not_severe', 'lead'),
    does: ({ incident }, on) =>
      as('lead').ask(decideDetermination, {
        params: { incident, determination: on },
        body: { approve: true },
      }),
  },
  {
    act: 'approve what was approved',
    role: 'lead',
    answers: [409, 409, 409, 409, 409, 402],
    before: async (place) => {
      const on = await record(place, 'not_severe')
      await as('owner').call(decideDetermination, {
        params: { incident: place.incident, determination: on },
        body: { approve: true },
      })
      return on
    },
    does: ({ incident }, on, role) =>
      as(role).ask(decideDetermination, { params: { incident, determination: on }, body: { approve: true } }),
  },
  {
    act: 'withdraw a determination',
    role: 'editor',
    answers: [204, 204, null, 204, 204, 402],
    before: (place) => record(place, 'not_severe'),
    does: ({ incident }, on) =>
      as('editor').ask(withdrawDetermination, { params: { incident, determination: on } }),
  },
  {
    act: 'change awareness',
    role: 'lead',
    answers: [201, 201, 409, 201, 201, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(changeAwareness, {
        params: { incident },
        body: { awareAt: '2026-11-02T07:00:00Z', reason },
      }),
  },
  {
    act: 'approve a later awareness',
    role: 'lead',
    answers: [204, 204, 409, 204, 204, 402],
    before: ({ incident }) =>
      idOf(
        as('owner').call(changeAwareness, {
          params: { incident },
          body: { awareAt: '2026-11-02T09:00:00Z', reason },
        }),
      ),
    does: ({ incident }, on, role) =>
      as(role).ask(decideAwareness, { params: { incident, change: on }, body: { approve: true } }),
  },
  {
    act: 'approve one’s own later awareness',
    role: 'lead',
    answers: [403, 403, 409, 403, 403, 402],
    before: ({ incident }) =>
      idOf(
        as('lead').call(changeAwareness, {
          params: { incident },
          body: { awareAt: '2026-11-02T09:00:00Z', reason },
        }),
      ),
    does: ({ incident }, on) =>
      as('lead').ask(decideAwareness, { params: { incident, change: on }, body: { approve: true } }),
  },
  {
    act: 'withdraw one’s own later awareness',
    role: 'lead',
    answers: [204, 204, 409, 204, 204, 402],
    before: ({ incident }) =>
      idOf(
        as('lead').call(changeAwareness, {
          params: { incident },
          body: { awareAt: '2026-11-02T09:00:00Z', reason },
        }),
      ),
    does: ({ incident }, on) => as('lead').ask(withdrawAwareness, { params: { incident, change: on } }),
  },
  {
    act: 'change the facts',
    role: 'editor',
    answers: [204, 204, 409, 204, 204, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(changeFacts, {
        params: { incident },
        body: { measureAvailableAt: '2026-11-02T09:00:00Z' },
      }),
  },
  {
    act: 'switch a regime off',
    role: 'lead',
    answers: [200, 200, 409, 200, 200, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(switchRegime, { params: { incident }, body: { regime: 'gdpr', active: false, reason } }),
  },
  {
    act: 'switch on a regime that the workspace does not have',
    role: 'editor',
    answers: [409, 409, 409, 409, 409, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(switchRegime, {
        params: { incident },
        body: { regime: 'digitalsikkerhetsloven', active: true },
      }),
  },
  {
    act: 'save a draft',
    role: 'editor',
    answers: [200, 200, 409, 200, 200, 402],
    does: (place, _on, role) =>
      as(role).ask(saveDraft, { params: reportOf(place), body: { revision: 0, values: { '2': 'x' } } }),
  },
  {
    act: 'record a submission',
    role: 'editor',
    answers: [201, 201, 409, 201, 201, 402],
    does: (place, _on, role) => as(role).ask(recordSubmission, { params: reportOf(place), body: filing() }),
  },
  {
    act: 'record a submission twice',
    role: 'editor',
    answers: [409, 409, 409, 409, 409, 402],
    before: file,
    does: (place, _on, role) => as(role).ask(recordSubmission, { params: reportOf(place), body: filing() }),
  },
  {
    act: 'amend what was filed',
    role: 'editor',
    answers: [201, 201, 201, 201, 201, 402],
    before: file,
    does: (place, _on, role) =>
      as(role).ask(recordSubmission, { params: reportOf(place), body: filing({ kind: 'amendment' }) }),
  },
  {
    act: 'correct the time of a submission',
    role: 'lead',
    answers: [204, 204, 204, 204, 204, 402],
    before: file,
    does: ({ incident }, on, role) =>
      as(role).ask(correctSubmission, {
        params: { incident, submission: on },
        body: { submittedAt: '2026-11-02T09:30:00Z', reason },
      }),
  },
  {
    act: 'waive the notification of a breach',
    role: 'lead',
    answers: [204, 204, 409, 204, 204, 402],
    does: (place, _on, role) =>
      as(role).ask(waiveReport, { params: reportOf(place, 'gdpr'), body: { reason } }),
  },
  {
    act: 'waive a report of the CRA',
    role: 'lead',
    answers: [409, 409, 409, 409, 409, 402],
    does: (place, _on, role) => as(role).ask(waiveReport, { params: reportOf(place), body: { reason } }),
  },
  {
    act: 'say how users were informed',
    role: 'lead',
    answers: [204, 204, 204, 204, 204, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(recordInformed, { params: { incident }, body: { who: 'users', how: 'By mail.' } }),
  },
  {
    act: 'add a task',
    role: 'editor',
    answers: [201, 201, 409, 201, 201, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(addTask, { params: { incident }, body: { title: 'Answer the CSIRT' } }),
  },
  {
    act: 'complete a task',
    role: 'editor',
    answers: [204, 204, 204, 204, 204, 402],
    before: ({ incident }) =>
      idOf(as('editor').call(addTask, { params: { incident }, body: { title: 'Answer the CSIRT' } })),
    does: ({ incident }, on, role) => as(role).ask(completeTask, { params: { incident, task: on } }),
  },
  {
    act: 'assign',
    role: 'editor',
    answers: [204, 204, 204, 402, 402, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(assignIncident, { params: { incident }, body: { person: null } }),
  },
  {
    act: 'comment',
    role: 'editor',
    answers: [204, 204, 204, 402, 402, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(addComment, { params: { incident }, body: { text: 'Look here.' } }),
  },
  {
    act: 'close with reports open',
    role: 'lead',
    answers: [409, 409, 409, 402, 402, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(closeIncident, { params: { incident }, body: { reason } }),
  },
  {
    act: 'reopen',
    role: 'lead',
    answers: [409, 409, 204, 402, 402, 402],
    does: ({ incident }, _on, role) =>
      as(role).ask(reopenIncident, { params: { incident }, body: { reason, as: 'same_facts' } }),
  },
  {
    act: 'read the evidence file',
    role: 'editor',
    answers: [200, 200, 200, 200, 200, 402],
    does: ({ incident }, _on, role) => as(role).ask(exportIncident, { params: { incident } }),
  },
]

const codes: Record<number, string> = { 402: 'billing_lapsed', 403: 'forbidden', 409: 'conflict' }
const cases = rows.flatMap((row) =>
  states.flatMap((state, index) => {
    const status = row.answers[index] ?? null
    return status === null ? [] : [{ ...row, state, status }]
  }),
)

describe('acts by the state of the incident and of its workspace', () => {
  test.each(cases)('$act, $state: $status for the role $role', async ({ state, status, role, ...row }) => {
    const place = await scene.openIn(state)
    const on = (await row.before?.(place)) ?? ''
    if (state === 'closed incident') await scene.closeAnyhow(place.incident)
    await scene.bring(state)
    const answer = await row.does(place, on, role)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    if (codes[status] !== undefined) expect(answer.body).toMatchObject({ error: codes[status] })
  })
})
