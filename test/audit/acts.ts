import { expect } from 'vitest'
import {
  changeRole,
  invite,
  removeMember,
  withdrawInvitation,
} from '../../src/contract/people/operations/members.ts'
import { revokeToken } from '../../src/contract/tokens/operations.ts'
import { changeRegimeSettings } from '../../src/contract/incidents/operations.ts'
import {
  changeDisclosureSettings,
  messageReporter,
  moveReport,
} from '../../src/contract/disclosure/operations.ts'
import {
  changeAdvisorySettings,
  createAdvisory,
  publishAdvisory,
} from '../../src/contract/advisories/operations.ts'
import { changeDestination } from '../../src/contract/alerts/operations.ts'
import {
  closeWorkspace,
  exportWorkspace,
  reopenWorkspace,
} from '../../src/contract/workspace/closing-operations.ts'
import { exportIncident } from '../../src/contract/incidents/report-operations.ts'
import { changeCompany } from '../../src/contract/workspace/company-operations.ts'
import { changeNoticeSettings } from '../../src/contract/notices/operations.ts'
import { exportAuditEvents } from '../../src/contract/audit/operations.ts'
import {
  exportComponentUses,
  exportIncidents,
  exportVulnerabilities,
} from '../../src/contract/export-operations.ts'
import { sendSbom, sendVex } from '../../src/contract/sbom/upload-operations.ts'
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
  removeOneSbom,
  sbom,
  scene,
  sendReport,
  token,
  tokens,
  vex,
  workspaceId,
  wrongPassword,
} from './acts-scene.ts'
import { person, type Act } from './act.ts'
import { incidentActs } from './incident-acts.ts'
import { accountActs, destinationActs, draftActs, reportActs } from './further-acts.ts'
import { move } from './move-acts.ts'
import { erasure, givingUp } from './originals-acts.ts'
import { secondIncidentActs } from './second-incident-acts.ts'
import { readAs } from '../support/read-as.ts'
import { NewDestination } from '../../src/contract/alerts/shapes.ts'

/** The acts docs/audit.md lists, in an order in which they can be done. */
export const acts: Act[] = [
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
      make('invitation', as('admin').call(invite, { body: { email: 'n@acme.example', role: 'editor' } })),
  },
  {
    what: 'an invitation withdrawn',
    recorded: [person('invitation.withdrawn', 'admin')],
    act: () => as('admin').call(withdrawInvitation, { params: { invitation: idOf('invitation') } }),
  },
  {
    what: 'a role',
    recorded: [person('member.role_changed', 'admin')],
    act: async () =>
      as('admin').call(changeRole, {
        params: { person: await scene.idOf('viewer') },
        body: { role: 'editor' },
      }),
  },
  {
    what: 'a member removed',
    recorded: [person('member.removed', 'admin')],
    act: async () =>
      as('admin').call(removeMember, { params: { person: await scene.idOf('viewer') }, body: {} }),
  },
  {
    what: 'a token',
    recorded: [person('token.created', 'lead')],
    act: () => token('lead', { name: 'gate', kind: 'results', familyId: family }),
  },
  {
    what: 'a token revoked',
    recorded: [person('token.revoked', 'lead')],
    act: () => as('lead').call(revokeToken, { params: { token: idOf('token') } }),
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
    act: () => file(sendSbom, sbom(2)),
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
    act: () => file(sendVex, vex(3)),
  },
  ...incidentActs,
  ...secondIncidentActs,
  {
    what: 'a report from outside',
    recorded: [['report.received', 'system', 'report form']],
    act: sendReport,
  },
  {
    what: 'a message to the reporter, which acknowledges',
    recorded: [person('report.acknowledged', 'editor'), person('report.message_sent', 'editor')],
    act: () => as('editor').call(messageReporter, { params: { number: '1' }, body: { text: 'Thank you.' } }),
  },
  {
    what: 'the state of a report',
    recorded: [person('report.moved', 'editor')],
    act: () =>
      as('editor').call(moveReport, {
        params: { number: '1' },
        body: { from: 'acknowledged', to: 'investigating' },
      }),
  },
  ...reportActs,
  {
    what: 'an advisory',
    recorded: [person('advisory.created', 'editor'), person('advisory.published', 'lead')],
    act: async () => {
      await make('advisory', as('editor').call(createAdvisory, { body: { content: await advisory() } }))
      await as('lead').call(publishAdvisory, {
        params: { advisory: idOf('advisory') },
        body: { revision: 1, summary: 'First.' },
      })
    },
  },
  ...draftActs,
  ...destinationActs,
  ...accountActs,
  {
    what: 'a destination that a token adds',
    recorded: [['destination.added', 'token', 'ops']],
    act: async () => {
      const made = await api('POST', 'alert-destinations', tokens.ops, {
        kind: 'webhook',
        name: 'on call',
        url: 'https://hooks.acme.example/',
        events: ['incident.opened'],
      })
      ids.set('destination', readAs(NewDestination, made.body).id)
    },
  },
  {
    what: 'a destination that a member changes',
    recorded: [person('destination.changed', 'admin')],
    act: () =>
      as('admin').call(changeDestination, {
        params: { destination: idOf('destination') },
        body: { enabled: false },
      }),
  },
  {
    what: 'a destination that a token removes',
    recorded: [['destination.removed', 'token', 'ops']],
    act: () => api('DELETE', `alert-destinations/${idOf('destination')}`, tokens.ops),
  },
  {
    what: 'how long a family keeps replaced SBOMs, and those that this removes',
    recorded: [
      person('family.sbom_retention_changed', 'admin'),
      ['family.sboms_removed', 'system', 'retention'],
    ],
    act: removeOneSbom,
  },
  ...(
    [
      ['company', changeCompany, { companyName: 'Acme' }, 'admin', 'workspace.company_changed'],
      ['regimes', changeRegimeSettings, { dora: true }, 'admin', 'regimes.changed'],
      ['disclosure', changeDisclosureSettings, { acknowledgeDays: 5 }, 'lead', 'disclosure.changed'],
      [
        'advisory-settings',
        changeAdvisorySettings,
        { secondPersonPublishes: true },
        'lead',
        'advisory.settings_changed',
      ],
      [
        '/account/notices/acme',
        changeNoticeSettings,
        { timeZone: 'Europe/Berlin' },
        'editor',
        'member.notices_changed',
      ],
    ] as const
  ).map(([of, change, body, role, action]): Act => ({
    what: `the settings of ${of}`,
    recorded: [person(action, role)],
    act: () => as(role).ask(change, { body }),
  })),
  {
    what: 'a plan set by the operator',
    recorded: [['workspace.plan_changed', 'system', 'command line']],
    act: () => setPlan(scene.database.db, { workspaceId, plan: 'plus', actor: operator, now: scene.now }),
  },
  ...(
    [
      ['audit/export', exportAuditEvents, 'audit.exported'],
      ['incidents/export', exportIncidents, 'incidents.exported'],
      ['components/export', exportComponentUses, 'components.exported'],
      ['vulnerabilities/export', exportVulnerabilities, 'vulnerabilities.exported'],
    ] as const
  ).map(([of, file, action]): Act => ({
    what: `the export ${of}`,
    recorded: [person(action, 'lead')],
    act: () => as('lead').ask(file),
  })),
  {
    what: 'the evidence of an incident',
    recorded: [person('incident.exported', 'lead')],
    act: () => as('lead').ask(exportIncident, { params: { incident: idOf('incident') } }),
  },
  {
    what: 'the export of the workspace',
    recorded: [person('workspace.exported', 'owner')],
    act: () => as('owner').ask(exportWorkspace),
  },
  move,
  erasure,
  givingUp,
  {
    what: 'closing and reopening',
    recorded: [person('workspace.closed', 'owner'), person('workspace.reopened', 'owner')],
    act: async () => {
      await as('owner').call(closeWorkspace, { body: { confirmName: 'Acme', password } })
      await as('owner').call(reopenWorkspace)
    },
  },
]
