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
  withdrawDetermination,
} from '../../src/contract/incidents/act-operations.ts'
import { getIncident, openIncident } from '../../src/contract/incidents/operations.ts'
import { addReceipt, recordSubmission, waiveReport } from '../../src/contract/incidents/report-operations.ts'
import { oneOf, person, type Act } from './act.ts'
import { as, family, idOf, make, reasoning, reportOf, scene } from './acts-scene.ts'

const params = () => ({ incident: idOf('second') })
const read = () => as('lead').call(getIncident, { params: params() })

/** What can be done with an incident beside what leads to its determination, from its opening to its closing and beyond. */
export const secondIncidentActs: Act[] = [
  {
    ...oneOf('incident.opened', 'editor', () =>
      make(
        'second',
        as('editor').call(openIncident, {
          body: { kind: 'severe_incident', title: 'Lost laptop', families: [family] },
        }),
      ),
    ),
    what: 'a second incident',
  },
  oneOf('incident.assigned', 'editor', async () =>
    as('editor').call(assignIncident, { params: params(), body: { person: await scene.idOf('editor') } }),
  ),
  oneOf('incident.commented', 'editor', () =>
    as('editor').call(addComment, { params: params(), body: { text: 'It was encrypted.' } }),
  ),
  oneOf('incident.task_added', 'editor', () =>
    make('task', as('editor').call(addTask, { params: params(), body: { title: 'Find it' } })),
  ),
  oneOf('incident.task_done', 'editor', () =>
    as('editor').call(completeTask, { params: { ...params(), task: idOf('task') } }),
  ),
  oneOf('incident.facts_changed', 'editor', () =>
    as('editor').call(changeFacts, { params: params(), body: { title: 'Lost laptop of a developer' } }),
  ),
  {
    what: 'a later time of awareness, and its approval',
    recorded: [
      person('incident.awareness_changed', 'lead'),
      person('incident.awareness_requested', 'lead'),
      person('incident.awareness_decided', 'owner'),
    ],
    act: async () => {
      for (const awareAt of ['2026-10-01T05:00:00.000Z', '2026-10-01T06:00:00.000Z'])
        await as('lead').call(changeAwareness, { params: params(), body: { awareAt, reason: reasoning } })
      const { awareness } = await read()
      const change = awareness.find(({ state }) => state === 'pending')?.id
      await as('owner').call(decideAwareness, { params: { ...params(), change }, body: { approve: true } })
    },
  },
  {
    what: 'a submission and its receipt',
    recorded: [person('incident.report_submitted', 'editor'), person('incident.receipt_added', 'editor')],
    act: async () => {
      const { id: submission } = await as('editor').call(recordSubmission, {
        params: { ...params(), report: await reportOf(idOf('second'), 'early_warning') },
        body: { kind: 'submission', submittedAt: scene.now.toISOString(), channel: 'Portal' },
      })
      await as('editor').call(addReceipt, {
        params: { ...params(), submission },
        query: { name: 'receipt.txt' },
        raw: 'received',
      })
    },
  },
  oneOf('incident.users_informed', 'lead', () =>
    as('lead').call(recordInformed, { params: params(), body: { who: 'users', how: reasoning } }),
  ),
  oneOf('incident.maintainer_informed', 'lead', () =>
    as('lead').call(recordInformed, { params: params(), body: { who: 'maintainer', how: reasoning } }),
  ),
  {
    what: 'a report that is not required, and its regime switched off',
    recorded: [
      person('incident.regime_on', 'editor'),
      person('incident.report_waived', 'lead'),
      person('incident.regime_off', 'lead'),
    ],
    act: async () => {
      const body = { regime: 'gdpr', reason: reasoning } as const
      await as('editor').call(switchRegime, { params: params(), body: { ...body, active: true } })
      const report = (await read()).reports.find(({ regime }) => regime === 'gdpr')?.id
      await as('lead').call(waiveReport, { params: { ...params(), report }, body: { reason: reasoning } })
      await as('lead').call(switchRegime, { params: params(), body: { ...body, active: false } })
    },
  },
  {
    what: 'a determination withdrawn, and another one approved',
    recorded: [
      person('incident.determination_recorded', 'editor'),
      person('incident.determination_withdrawn', 'editor'),
      person('incident.determination_recorded', 'editor'),
      person('incident.determination_approved', 'lead'),
    ],
    act: async () => {
      const record = async () => {
        const body = { value: 'not_severe', reasoning } as const
        const { id } = await as('editor').call(recordDetermination, { params: params(), body })
        return { ...params(), determination: id }
      }
      await as('editor').call(withdrawDetermination, { params: await record() })
      await as('lead').call(decideDetermination, { params: await record(), body: { approve: true } })
    },
  },
  oneOf('incident.closed', 'lead', () =>
    as('lead').call(closeIncident, { params: params(), body: { reason: reasoning } }),
  ),
  oneOf('incident.reopened', 'lead', () =>
    as('lead').call(reopenIncident, { params: params(), body: { reason: reasoning, as: 'same_facts' } }),
  ),
]
