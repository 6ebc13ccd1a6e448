import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '../../src/contract/roles.ts'
import type { Answer } from '../support/http.ts'
import { filing, openActScene, reason, reportOf, states, type ActScene, type Place } from './act-scene.ts'

let scene: ActScene
beforeAll(async () => {
  scene = await openActScene()
}, 120_000)
afterAll(() => scene.close())

const ask: ActScene['ask'] = (...asked) => scene.ask(...asked)
const done: ActScene['done'] = (answer) => scene.done(answer)
const record: ActScene['record'] = (...given) => scene.record(...given)
const file: ActScene['file'] = (place) => scene.file(place)

type Row = {
  act: string
  /** The lowest role that may. */
  role: Role
  /** The status in each state, in the order of `states`; null: it cannot come to that. */
  answers: (number | null)[]
  /** What has been done before, in a workspace that may do everything. Returns what the act is done on. */
  before?: (place: Place) => Promise<string>
  does: (place: Place, on: string, role: Role) => Promise<Answer>
}

const rows: Row[] = [
  {
    act: 'open by hand',
    role: 'editor',
    answers: [201, 201, 201, 402, 402, 402],
    does: (_place, _on, role) =>
      ask(role, '/incidents', { kind: 'severe_incident', title: 'Another one', families: [] }),
  },
  {
    act: 'record a determination',
    role: 'editor',
    answers: [201, 201, 409, 201, 201, 402],
    does: ({ path }, _on, role) =>
      ask(role, `${path}/determinations`, { value: 'not_severe', reasoning: reason }),
  },
  {
    act: 'record a second one while the first waits',
    role: 'editor',
    answers: [409, 409, 409, 409, 409, 402],
    before: (place) => record(place, 'not_severe', 'lead'),
    does: ({ path }, _on, role) =>
      ask(role, `${path}/determinations`, { value: 'severe_incident', reasoning: reason }),
  },
  {
    act: 'approve a determination',
    role: 'lead',
    answers: [204, 204, 409, 204, 204, 402],
    before: (place) => record(place, 'not_severe'),
    does: ({ path }, on, role) => ask(role, `${path}/determinations/${on}/decision`, { approve: true }),
  },
  {
    act: 'approve one’s own',
    role: 'lead',
    answers: [403, 403, 409, 403, 403, 402],
    before: (place) => record(place, 'not_severe', 'lead'),
    does: ({ path }, on) => ask('lead', `${path}/determinations/${on}/decision`, { approve: true }),
  },
  {
    act: 'approve what was approved',
    role: 'lead',
    answers: [409, 409, 409, 409, 409, 402],
    before: async (place) => {
      const on = await record(place, 'not_severe')
      await done(ask('owner', `${place.path}/determinations/${on}/decision`, { approve: true }))
      return on
    },
    does: ({ path }, on, role) => ask(role, `${path}/determinations/${on}/decision`, { approve: true }),
  },
  {
    act: 'withdraw a determination',
    role: 'editor',
    answers: [204, 204, null, 204, 204, 402],
    before: (place) => record(place, 'not_severe'),
    does: ({ path }, on) => ask('editor', `${path}/determinations/${on}/withdraw`),
  },
  {
    act: 'change awareness',
    role: 'lead',
    answers: [201, 201, 409, 201, 201, 402],
    does: ({ path }, _on, role) =>
      ask(role, `${path}/awareness`, { awareAt: '2026-11-02T07:00:00Z', reason }),
  },
  {
    act: 'approve a later awareness',
    role: 'lead',
    answers: [204, 204, 409, 204, 204, 402],
    before: ({ path }) =>
      done(ask('owner', `${path}/awareness`, { awareAt: '2026-11-02T09:00:00Z', reason })),
    does: ({ path }, on, role) => ask(role, `${path}/awareness/${on}/decision`, { approve: true }),
  },
  {
    act: 'approve one’s own later awareness',
    role: 'lead',
    answers: [403, 403, 409, 403, 403, 402],
    before: ({ path }) => done(ask('lead', `${path}/awareness`, { awareAt: '2026-11-02T09:00:00Z', reason })),
    does: ({ path }, on) => ask('lead', `${path}/awareness/${on}/decision`, { approve: true }),
  },
  {
    act: 'change the facts',
    role: 'editor',
    answers: [204, 204, 409, 204, 204, 402],
    does: ({ path }, _on, role) => ask(role, path, { measureAvailableAt: '2026-11-02T09:00:00Z' }, 'PATCH'),
  },
  {
    act: 'switch a regime off',
    role: 'lead',
    answers: [200, 200, 409, 200, 200, 402],
    does: ({ path }, _on, role) => ask(role, `${path}/regimes`, { regime: 'gdpr', active: false, reason }),
  },
  {
    act: 'switch on a regime that the workspace does not have',
    role: 'editor',
    answers: [409, 409, 409, 409, 409, 402],
    does: ({ path }, _on, role) =>
      ask(role, `${path}/regimes`, { regime: 'digitalsikkerhetsloven', active: true }),
  },
  {
    act: 'save a draft',
    role: 'editor',
    answers: [200, 200, 409, 200, 200, 402],
    does: (place, _on, role) =>
      ask(role, `${reportOf(place)}/draft`, { revision: 0, values: { '2': 'x' } }, 'PATCH'),
  },
  {
    act: 'record a submission',
    role: 'editor',
    answers: [201, 201, 409, 201, 201, 402],
    does: (place, _on, role) => ask(role, `${reportOf(place)}/submissions`, filing()),
  },
  {
    act: 'record a submission twice',
    role: 'editor',
    answers: [409, 409, 409, 409, 409, 402],
    before: file,
    does: (place, _on, role) => ask(role, `${reportOf(place)}/submissions`, filing()),
  },
  {
    act: 'amend what was filed',
    role: 'editor',
    answers: [201, 201, 201, 201, 201, 402],
    before: file,
    does: (place, _on, role) => ask(role, `${reportOf(place)}/submissions`, filing({ kind: 'amendment' })),
  },
  {
    act: 'correct the time of a submission',
    role: 'lead',
    answers: [204, 204, 204, 204, 204, 402],
    before: file,
    does: ({ path }, on, role) =>
      ask(role, `${path}/submissions/${on}`, { submittedAt: '2026-11-02T09:30:00Z', reason }, 'PATCH'),
  },
  {
    act: 'waive the notification of a breach',
    role: 'lead',
    answers: [204, 204, 409, 204, 204, 402],
    does: (place, _on, role) => ask(role, `${reportOf(place, 'gdpr')}/waiver`, { reason }),
  },
  {
    act: 'waive a report of the CRA',
    role: 'lead',
    answers: [409, 409, 409, 409, 409, 402],
    does: (place, _on, role) => ask(role, `${reportOf(place)}/waiver`, { reason }),
  },
  {
    act: 'say how users were informed',
    role: 'lead',
    answers: [204, 204, 204, 204, 204, 402],
    does: ({ path }, _on, role) => ask(role, `${path}/informed`, { who: 'users', how: 'By mail.' }),
  },
  {
    act: 'add a task',
    role: 'editor',
    answers: [201, 201, 409, 201, 201, 402],
    does: ({ path }, _on, role) => ask(role, `${path}/tasks`, { title: 'Answer the CSIRT' }),
  },
  {
    act: 'complete a task',
    role: 'editor',
    answers: [204, 204, 204, 204, 204, 402],
    before: ({ path }) => done(ask('editor', `${path}/tasks`, { title: 'Answer the CSIRT' })),
    does: ({ path }, on, role) => ask(role, `${path}/tasks/${on}/done`),
  },
  {
    act: 'assign',
    role: 'editor',
    answers: [204, 204, 204, 402, 402, 402],
    does: ({ path }, _on, role) => ask(role, `${path}/assignee`, { person: null }),
  },
  {
    act: 'comment',
    role: 'editor',
    answers: [204, 204, 204, 402, 402, 402],
    does: ({ path }, _on, role) => ask(role, `${path}/comments`, { text: 'Look here.' }),
  },
  {
    act: 'close with reports open',
    role: 'lead',
    answers: [409, 409, 409, 402, 402, 402],
    does: ({ path }, _on, role) => ask(role, `${path}/close`, { reason }),
  },
  {
    act: 'reopen',
    role: 'lead',
    answers: [409, 409, 204, 402, 402, 402],
    does: ({ path }, _on, role) => ask(role, `${path}/reopen`, { reason, as: 'same_facts' }),
  },
  {
    act: 'read the evidence file',
    role: 'editor',
    answers: [200, 200, 200, 200, 200, 402],
    does: ({ path }, _on, role) => ask(role, `${path}/evidence`, undefined, 'GET'),
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
    if (state === 'closed incident') await scene.closeAnyhow(place.id)
    await scene.bring(state)
    const answer = await row.does(place, on, role)
    expect(answer.status, JSON.stringify(answer.body)).toBe(status)
    if (codes[status] !== undefined) expect(answer.body).toMatchObject({ error: codes[status] })
  })
})
