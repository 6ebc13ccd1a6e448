import type { NoticeFact } from '../../src/contract/notices/shapes.ts'

const incident = {
  id: '0190d3a8-0000-7000-8000-000000000001',
  reference: 'INC-2026-0001',
  title: 'Pump opens its valve',
}

/** One of each kind of notice for members. */
export const facts = {
  'incident.opened': {
    type: 'incident.opened',
    data: {
      incident: {
        ...incident,
        family: 'Pump',
        vulnKey: 'CVE-2026-1',
        source: 'kev',
        awareAt: '2026-01-01T00:00:00.000Z',
      },
    },
  },
  'deadline.warning': {
    type: 'deadline.warning',
    data: { incident, regime: 'cra', report: 'early_warning', dueAt: '2026-01-02T00:00:00.000Z' },
  },
  'deadline.overdue': {
    type: 'deadline.overdue',
    data: { incident, regime: 'cra', report: 'early_warning', dueAt: '2025-12-31T00:00:00.000Z' },
  },
  'approval.requested': {
    type: 'approval.requested',
    data: { incident, determination: 'actively_exploited', scope: 'cra', approvers: 3 },
  },
  'report.received': {
    type: 'report.received',
    data: {
      report: { number: 7, family: 'Pump', receivedAt: '2026-01-01T00:00:00.000Z', acknowledgeBy: null },
    },
  },
  'report.message': {
    type: 'report.message',
    data: { report: { number: 7, family: 'Pump', at: '2026-01-01T00:00:00.000Z' } },
  },
  'report.unanswered': {
    type: 'report.unanswered',
    data: {
      report: {
        number: 7,
        family: 'Pump',
        receivedAt: '2026-01-01T00:00:00.000Z',
        acknowledgeBy: '2026-01-04T00:00:00.000Z',
      },
      isOverdue: false,
    },
  },
  'finding.malware': {
    type: 'finding.malware',
    data: {
      product: { family: 'Pump', version: '2.4.1' },
      findings: [
        {
          id: incident.id,
          vulnerability: 'MAL-2026-1',
          component: 'evil',
          version: '1.0.0',
          grade: 'exact',
        },
      ],
      more: 0,
    },
  },
  'finding.new': {
    type: 'finding.new',
    data: { bySeverity: { critical: 1, high: 2, medium: 0, low: 0, none: 0, unknown: 0 } },
  },
  'finding.exploited': { type: 'finding.exploited', data: { findings: 1, vulnerabilities: ['CVE-2026-1'] } },
  'upload.failed': {
    type: 'upload.failed',
    data: { sboms: 1, refusals: 0, latest: { family: 'Pump', reason: 'Matching did not finish.' } },
  },
  'coverage.lost': {
    type: 'coverage.lost',
    data: { ecosystems: [{ ecosystem: 'Hex', state: 'no_source', components: 5 }], more: 0 },
  },
  'token.expiring': {
    type: 'token.expiring',
    data: { token: { id: incident.id, name: 'ci', kind: 'upload' }, endsAt: '2026-01-04T00:00:00.000Z' },
  },
  'plan.ending': { type: 'plan.ending', data: { plan: 'trial', endsAt: '2026-01-04T00:00:00.000Z' } },
  'sign_in.new_address': {
    type: 'sign_in.new_address',
    data: { address: '192.0.2.7', at: '2026-01-01T00:00:00.000Z' },
  },
  'password.changed': {
    type: 'password.changed',
    data: { address: '192.0.2.7', at: '2026-01-01T00:00:00.000Z' },
  },
  'second_factor.changed': {
    type: 'second_factor.changed',
    data: { change: 'app_added', address: '192.0.2.7', at: '2026-01-01T00:00:00.000Z' },
  },
  'second_factor.guessed': {
    type: 'second_factor.guessed',
    data: { address: '192.0.2.7', at: '2026-01-01T00:00:00.000Z' },
  },
  'token.created': {
    type: 'token.created',
    data: {
      token: { id: incident.id, name: 'ci', kind: 'upload' },
      by: 'owner',
      at: '2026-01-01T00:00:00.000Z',
    },
  },
  'incident.untaken': {
    type: 'incident.untaken',
    data: { incidents: [incident], more: 0, since: '2025-12-31T23:30:00.000Z' },
  },
  'incident.note': {
    type: 'incident.note',
    data: { incident, what: 'assigned', by: 'lead' },
  },
  'token.revoked': {
    type: 'token.revoked',
    data: {
      token: { id: incident.id, name: 'ci', kind: 'upload' },
      by: 'owner',
      at: '2026-01-01T00:00:00.000Z',
    },
  },
  'member.joined': {
    type: 'member.joined',
    data: { member: 'Vera', role: 'viewer', by: 'owner', at: '2026-01-01T00:00:00.000Z' },
  },
  'member.role_changed': {
    type: 'member.role_changed',
    data: { member: 'Vera', from: 'viewer', to: 'editor', by: 'owner', at: '2026-01-01T00:00:00.000Z' },
  },
  'member.removed': {
    type: 'member.removed',
    data: { member: 'Vera', role: 'viewer', by: 'owner', tokens: 2, at: '2026-01-01T00:00:00.000Z' },
  },
} as const satisfies { [Kind in NoticeFact['type']]: Extract<NoticeFact, { type: Kind }> }
