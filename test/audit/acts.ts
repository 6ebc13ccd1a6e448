import { expect } from 'vitest'
import type { AuditAction } from '../../src/contract/audit/shapes.ts'
import type { IncidentDetail } from '../../src/contract/incidents/shapes.ts'
import type { ActorKind, Role } from '../../src/contract/roles.ts'
import { operator } from '../../src/cli/command.ts'
import { setPlan } from '../../src/workspace/workspaces.ts'
import { password } from '../people/people-scene.ts'
import {
  advisory,
  api,
  as,
  family,
  file,
  idOf,
  ids,
  make,
  reasoning,
  reportOf,
  sbom,
  scene,
  sendReport,
  start,
  token,
  tokens,
  vex,
  workspaceId,
  wrongPassword,
} from './acts-scene.ts'

export type Recorded = readonly [AuditAction, ActorKind, string]
type Row = { what: string; recorded: readonly Recorded[]; act: () => Promise<unknown> }

const person = (action: AuditAction, role: Role): Recorded => [action, 'person', `${role} of acme`]
const incident = () => `incidents/${idOf('incident')}`

/** What docs/audit.md says is recorded, in an order in which it can be done. */
export const acts: Row[] = [
  {
    what: 'a sign-in',
    recorded: [person('person.signed_in', 'viewer')],
    act: () => scene.signIn('viewer'),
  },
  {
    what: 'a failed sign-in',
    recorded: [['person.sign_in_failed', 'system', 'sign-in']],
    act: async () => {
      expect(await wrongPassword()).toBe(401)
    },
  },
  {
    what: 'an invitation',
    recorded: [person('invitation.sent', 'admin')],
    act: () =>
      make('invitation', 'admin', 'POST', 'invitations', { email: 'n@acme.example', role: 'editor' }),
  },
  {
    what: 'an invitation withdrawn',
    recorded: [person('invitation.withdrawn', 'admin')],
    act: () => as('admin', 'DELETE', `invitations/${idOf('invitation')}`),
  },
  {
    what: 'a role',
    recorded: [person('member.role_changed', 'admin')],
    act: async () => as('admin', 'PATCH', `members/${await scene.idOf('viewer')}`, { role: 'editor' }),
  },
  {
    what: 'a member removed',
    recorded: [person('member.removed', 'admin')],
    act: async () => as('admin', 'POST', `members/${await scene.idOf('viewer')}/remove`, {}),
  },
  {
    what: 'a token',
    recorded: [person('token.created', 'lead')],
    act: () => token('lead', { name: 'gate', kind: 'results', familyId: family }),
  },
  {
    what: 'a token revoked',
    recorded: [person('token.revoked', 'lead')],
    act: () => as('lead', 'POST', `tokens/${idOf('token')}/revoke`),
  },
  {
    what: 'a VEX document of a pipeline',
    recorded: [['vex.uploaded', 'token', 'ci']],
    act: () => api('POST', 'vex', tokens.ci, vex(1)),
  },
  {
    what: 'an SBOM of a pipeline, the incident that it opens and the one that a VEX document holds back',
    recorded: [
      ['sbom.uploaded', 'token', 'ci'],
      ['incident.opened', 'system', 'SBOM Monitor'],
      ['incident.opening_suppressed', 'system', 'SBOM Monitor'],
    ],
    act: () => api('POST', 'sboms', tokens.ci, sbom(1)),
  },
  {
    what: 'an SBOM of a member, which replaces that',
    recorded: [person('sbom.uploaded', 'editor')],
    act: () => file('sboms', sbom(2)),
  },
  {
    what: 'a VEX document that replaces one, and is another reason to hold back',
    recorded: [
      ['vex.uploaded', 'token', 'ci'],
      ['incident.opening_suppressed', 'system', 'SBOM Monitor'],
    ],
    act: () => api('POST', 'vex', tokens.ci, vex(2)),
  },
  {
    what: 'a VEX document of a member, another reason',
    recorded: [person('vex.uploaded', 'editor'), ['incident.opening_suppressed', 'system', 'SBOM Monitor']],
    act: () => file('vex', vex(3)),
  },
  {
    what: 'an incident',
    recorded: [person('incident.opened', 'editor')],
    act: () =>
      make('incident', 'editor', 'POST', 'incidents', {
        ...{ kind: 'severe_incident', title: 'Stolen key', families: [family] },
      }),
  },
  {
    what: 'the awareness time',
    recorded: [person('incident.awareness_changed', 'lead')],
    act: () =>
      as('lead', 'POST', `${incident()}/awareness`, {
        awareAt: '2026-10-01T06:00:00.000Z',
        reason: reasoning,
      }),
  },
  {
    what: 'a determination',
    recorded: [person('incident.determination_recorded', 'editor')],
    act: () =>
      make('determination', 'editor', 'POST', `${incident()}/determinations`, {
        ...{ value: 'not_severe', reasoning },
      }),
  },
  {
    what: 'an approval refused',
    recorded: [person('incident.determination_rejected', 'lead')],
    act: () =>
      as('lead', 'POST', `${incident()}/determinations/${idOf('determination')}/decision`, {
        ...{ approve: false, comment: reasoning },
      }),
  },
  {
    what: 'a submission',
    recorded: [person('incident.report_submitted', 'editor')],
    act: async () =>
      make(
        'submission',
        'editor',
        'POST',
        `${incident()}/reports/${await reportOf(idOf('incident'), 'early_warning')}/submissions`,
        { kind: 'submission', submittedAt: scene.now.toISOString(), channel: 'Portal' },
      ),
  },
  {
    what: 'a submission corrected',
    recorded: [person('incident.submission_corrected', 'lead')],
    act: () =>
      as('lead', 'PATCH', `${incident()}/submissions/${idOf('submission')}`, {
        ...{ submittedAt: new Date(start.getTime() - 60_000).toISOString(), reason: reasoning },
      }),
  },
  {
    what: 'a regime of an incident',
    recorded: [person('incident.regime_on', 'editor')],
    act: () => as('editor', 'POST', `${incident()}/regimes`, { regime: 'gdpr', active: true }),
  },
  {
    what: 'a regime of an incident that is to be taken away',
    recorded: [person('incident.regime_off_requested', 'lead')],
    act: () =>
      as('lead', 'POST', `${incident()}/regimes`, { regime: 'gdpr', active: false, reason: reasoning }),
  },
  {
    what: 'a regime of an incident taken away',
    recorded: [person('incident.regime_off_decided', 'owner')],
    act: async () => {
      const { awareness } = (await as('owner', 'GET', incident())).body as IncidentDetail
      return as(
        'owner',
        'POST',
        `${incident()}/awareness/${awareness.find(({ state }) => state === 'pending')?.id ?? ''}/decision`,
        {
          approve: true,
        },
      )
    },
  },
  {
    what: 'a determination and its approval',
    recorded: [
      person('incident.determination_recorded', 'editor'),
      person('incident.determination_approved', 'lead'),
    ],
    act: async () => {
      await make('determination', 'editor', 'POST', `${incident()}/determinations`, {
        ...{ value: 'not_severe', reasoning },
      })
      await as('lead', 'POST', `${incident()}/determinations/${idOf('determination')}/decision`, {
        ...{ approve: true },
      })
    },
  },
  {
    what: 'a report from outside',
    recorded: [['report.received', 'system', 'report form']],
    act: sendReport,
  },
  {
    what: 'a message to the reporter, which acknowledges',
    recorded: [person('report.acknowledged', 'editor'), person('report.message_sent', 'editor')],
    act: () => as('editor', 'POST', 'inbox/1/messages', { text: 'Thank you.' }),
  },
  {
    what: 'the state of a report',
    recorded: [person('report.moved', 'editor')],
    act: () => as('editor', 'POST', 'inbox/1/state', { from: 'acknowledged', to: 'investigating' }),
  },
  {
    what: 'an advisory',
    recorded: [person('advisory.created', 'editor'), person('advisory.published', 'lead')],
    act: async () => {
      await make('advisory', 'editor', 'POST', 'advisories', { content: await advisory() })
      await as('lead', 'POST', `advisories/${idOf('advisory')}/publish`, { revision: 1, summary: 'First.' })
    },
  },
  {
    what: 'a destination that a token adds',
    recorded: [['destination.added', 'token', 'ops']],
    act: async () => {
      const made = await api('POST', 'alert-destinations', tokens.ops, {
        ...{
          kind: 'webhook',
          name: 'on call',
          url: 'https://hooks.acme.example/',
          events: ['incident.opened'],
        },
      })
      ids.set('destination', (made.body as { id: string }).id)
    },
  },
  {
    what: 'a destination that a member changes',
    recorded: [person('destination.changed', 'admin')],
    act: () => as('admin', 'PATCH', `destinations/${idOf('destination')}`, { enabled: false }),
  },
  {
    what: 'a destination that a token removes',
    recorded: [['destination.removed', 'token', 'ops']],
    act: () => api('DELETE', `alert-destinations/${idOf('destination')}`, tokens.ops),
  },
  ...(
    [
      ['company', { companyName: 'Acme' }, 'admin', 'workspace.company_changed'],
      ['regimes', { dora: true }, 'admin', 'regimes.changed'],
      ['disclosure', { acknowledgeDays: 5 }, 'lead', 'disclosure.changed'],
      ['advisory-settings', { secondPersonPublishes: true }, 'lead', 'advisory.settings_changed'],
      ['/account/notices/acme', { timeZone: 'Europe/Berlin' }, 'editor', 'member.notices_changed'],
    ] as const
  ).map(([path, body, role, action]): Row => ({
    what: `the settings of ${path}`,
    recorded: [person(action, role)],
    act: () => as(role, 'PATCH', path, body),
  })),
  {
    what: 'a plan set by the operator',
    recorded: [['workspace.plan_changed', 'system', 'command line']],
    act: () => setPlan(scene.database.db, { workspaceId, plan: 'plus', actor: operator, now: scene.now }),
  },
  ...(
    [
      ['audit/export', 'audit.exported'],
      ['incidents/export', 'incidents.exported'],
      ['components/export', 'components.exported'],
      ['vulnerabilities/export', 'vulnerabilities.exported'],
    ] as const
  ).map(([path, action]): Row => ({
    what: `the export ${path}`,
    recorded: [person(action, 'lead')],
    act: () => as('lead', 'GET', path),
  })),
  {
    what: 'the evidence of an incident',
    recorded: [person('incident.exported', 'lead')],
    act: () => as('lead', 'GET', `${incident()}/evidence`),
  },
  {
    what: 'the export of the workspace',
    recorded: [person('workspace.exported', 'owner')],
    act: () => as('owner', 'GET', 'export'),
  },
  {
    what: 'closing and reopening',
    recorded: [person('workspace.closed', 'owner'), person('workspace.reopened', 'owner')],
    act: async () => {
      await as('owner', 'POST', 'close', { confirmName: 'Acme', password })
      await as('owner', 'POST', 'reopen')
    },
  },
]
