import {
  changeAwareness,
  decideAwareness,
  decideDetermination,
  recordDetermination,
  switchRegime,
} from '../../src/contract/incidents/act-operations.ts'
import { getIncident, openIncident } from '../../src/contract/incidents/operations.ts'
import { correctSubmission, recordSubmission } from '../../src/contract/incidents/report-operations.ts'
import { person, type Act } from './act.ts'
import { as, family, idOf, make, reasoning, reportOf, scene, start } from './acts-scene.ts'

/** From an incident opened by a member to the approval of its determination. */
export const incidentActs: Act[] = [
  {
    what: 'an incident',
    recorded: [person('incident.opened', 'editor')],
    act: () =>
      make(
        'incident',
        as('editor').call(openIncident, {
          body: { kind: 'severe_incident', title: 'Stolen key', families: [family] },
        }),
      ),
  },
  {
    what: 'the awareness time',
    recorded: [person('incident.awareness_changed', 'lead')],
    act: () =>
      as('lead').call(changeAwareness, {
        params: { incident: idOf('incident') },
        body: {
          awareAt: '2026-10-01T06:00:00.000Z',
          reason: reasoning,
        },
      }),
  },
  {
    what: 'a determination',
    recorded: [person('incident.determination_recorded', 'editor')],
    act: () =>
      make(
        'determination',
        as('editor').call(recordDetermination, {
          params: { incident: idOf('incident') },
          body: { value: 'not_severe', reasoning },
        }),
      ),
  },
  {
    what: 'an approval refused',
    recorded: [person('incident.determination_rejected', 'lead')],
    act: () =>
      as('lead').call(decideDetermination, {
        params: { incident: idOf('incident'), determination: idOf('determination') },
        body: { approve: false, comment: reasoning },
      }),
  },
  {
    what: 'a submission',
    recorded: [person('incident.report_submitted', 'editor')],
    act: async () =>
      make(
        'submission',
        as('editor').call(recordSubmission, {
          params: { incident: idOf('incident'), report: await reportOf(idOf('incident'), 'early_warning') },
          body: { kind: 'submission', submittedAt: scene.now.toISOString(), channel: 'Portal' },
        }),
      ),
  },
  {
    what: 'a submission corrected',
    recorded: [person('incident.submission_corrected', 'lead')],
    act: () =>
      as('lead').call(correctSubmission, {
        params: { incident: idOf('incident'), submission: idOf('submission') },
        body: { submittedAt: new Date(start.getTime() - 60_000).toISOString(), reason: reasoning },
      }),
  },
  {
    what: 'a regime of an incident',
    recorded: [person('incident.regime_on', 'editor')],
    act: () =>
      as('editor').call(switchRegime, {
        params: { incident: idOf('incident') },
        body: { regime: 'gdpr', active: true },
      }),
  },
  {
    what: 'a regime of an incident that is to be taken away',
    recorded: [person('incident.regime_off_requested', 'lead')],
    act: () =>
      as('lead').call(switchRegime, {
        params: { incident: idOf('incident') },
        body: { regime: 'gdpr', active: false, reason: reasoning },
      }),
  },
  {
    what: 'a regime of an incident taken away',
    recorded: [person('incident.regime_off_decided', 'owner')],
    act: async () => {
      const { awareness } = await as('owner').call(getIncident, { params: { incident: idOf('incident') } })
      return as('owner').call(decideAwareness, {
        params: {
          incident: idOf('incident'),
          change: awareness.find(({ state }) => state === 'pending')?.id,
        },
        body: {
          approve: true,
        },
      })
    },
  },
  {
    what: 'a determination and its approval',
    recorded: [
      person('incident.determination_recorded', 'editor'),
      person('incident.determination_approved', 'lead'),
    ],
    act: async () => {
      await make(
        'determination',
        as('editor').call(recordDetermination, {
          params: { incident: idOf('incident') },
          body: { value: 'not_severe', reasoning },
        }),
      )
      await as('lead').call(decideDetermination, {
        params: { incident: idOf('incident'), determination: idOf('determination') },
        body: { approve: true },
      })
    },
  },
]
