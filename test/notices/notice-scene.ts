import pino from 'pino'
import { sendDueMails } from '../../src/notices/mail/mailer.ts'
import type { MailDeps } from '../../src/notices/mail/send-mail.ts'
import { createMailTransport, type MailTransport } from '../../src/notices/mail/transport.ts'
import { enqueueNotice } from '../../src/workspace/enqueue-notice.ts'
import { enqueueEvent } from '../../src/alerts/deliveries/emit.ts'
import type { AlertFact } from '../../src/contract/alerts/events.ts'
import type { NoticeChoices, Audience, MailFact, NoticeFact } from '../../src/contract/notices/shapes.ts'
import { roles, type Role } from '../../src/contract/roles.ts'
import { provision } from '../../src/provision/provision.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { baseUrl, testSealing } from '../support/http.ts'
import { quickHash } from '../support/quick-hash.ts'

type Plan = 'trial' | 'starter' | 'core' | 'plus' | 'free' | 'closed'

/** A workspace with one member of each role, and a test clock. */
export type NoticeScene = {
  database: TestDatabase
  workspaceId: string
  slug: string
  /** Ids by role. */
  people: Record<Role, string>
  now: Date
  /** Runs pending jobs and mail at this time, without a mail server unless one is given. */
  settle: (transport?: MailTransport) => Promise<void>
  /** Sets a member's notice choices and time zone. */
  choose: (role: Role, choices: NoticeChoices, timeZone?: string | null) => Promise<void>
  tell: (fact: NoticeFact, audience?: Audience) => Promise<void>
  emit: (fact: AlertFact, audience?: Audience) => Promise<string>
  /** Roles with a notice of this kind in their bell. */
  rung: (kind: NoticeFact['type']) => Promise<string[]>
  /** Messages of this kind by role, as `role state`. */
  mailed: (kind: MailFact['type']) => Promise<string[]>
  drop: () => Promise<void>
}

export const password = 'a long enough password'
export const emailOf = (role: Role): string => `${role}@acme.example`

type Options = { plan?: Plan; timeZone?: string; companyName?: string; names?: Partial<Record<Role, string>> }

export async function createNoticeScene({
  plan = 'core',
  timeZone,
  companyName = 'Acme',
  names = {},
}: Options = {}): Promise<NoticeScene> {
  const database = await createTestDatabase()
  const { db } = database
  const members = roles.map((role) => ({ email: emailOf(role), name: names[role] ?? role, role, password }))
  const document = {
    workspaces: [
      {
        slug: 'acme',
        companyName,
        securityContactEmail: 's@acme.example',
        plan,
        members,
        families: [{ name: 'Pump', tokens: [{ name: 'ci', kind: 'upload' }] }],
        ...(timeZone === undefined ? {} : { timeZone }),
      },
    ],
  }
  const [made] = (await provision(db, document, testNow, { hash: quickHash })).workspaces
  const workspaceId = made?.id ?? ''
  await db.deleteFrom('job').execute()
  const people = Object.fromEntries(
    roles.map((role, index) => [role, made?.members?.[index]?.id ?? '']),
  ) as Record<Role, string>
  const roleOf = (personId: string) => roles.find((role) => people[role] === personId) ?? personId
  const scene: NoticeScene = {
    database,
    workspaceId,
    slug: 'acme',
    people,
    now: testNow,
    settle: async (transport) => {
      await drain(db, scene.now)
      await sendDueMails(placeOf(scene, transport ?? null))
    },
    choose: async (role, chosen, zone = null) => {
      const choices = JSON.stringify(chosen)
      await db
        .insertInto('member_notices')
        .values({ workspace_id: workspaceId, person_id: people[role], time_zone: zone, choices })
        .onConflict((other) => other.columns(['workspace_id', 'person_id']).doUpdateSet({ choices }))
        .execute()
    },
    tell: async (fact, audience = {}) => {
      await db
        .transaction()
        .execute((tx) => enqueueNotice(tx, { ...audience, to: { workspaceId }, fact, now: scene.now }))
      await scene.settle()
    },
    emit: async (fact, audience = {}) => {
      const eventId = await db
        .transaction()
        .execute((tx) => enqueueEvent(tx, { ...audience, workspaceId, fact, now: scene.now }))
      await scene.settle()
      return eventId
    },
    rung: async (kind) => {
      const rows = await db
        .selectFrom('bell_entry')
        .select('person_id')
        .where('kind', '=', kind)
        .orderBy('id')
        .execute()
      return rows.map(({ person_id: id }) => roleOf(id)).sort()
    },
    mailed: async (kind) => {
      const rows = await db
        .selectFrom('mail')
        .select(['person_id', 'state'])
        .where('kind', '=', kind)
        .orderBy('id')
        .execute()
      return rows.map(({ person_id: id, state }) => `${roleOf(id ?? '')} ${state}`).sort()
    },
    drop: () => database.drop(),
  }
  return scene
}

/** The mail settings of this process. */
export function placeOf(scene: NoticeScene, transport: MailTransport | null): MailDeps {
  return {
    db: scene.database.db,
    now: () => scene.now,
    log: pino({ level: 'silent' }),
    transport,
    sealing: testSealing,
    serviceName: 'SBOM Monitor',
    baseUrl,
    messageDomain: 'monitor.example',
    name: 'test',
  }
}

type Server = {
  host?: string
  credentials?: { user: string; password: string } | null
  isSecure?: boolean
}

export function transportTo(
  port: number,
  { host = '127.0.0.1', credentials = null, isSecure = false }: Server = {},
): MailTransport {
  const from = { name: 'Alerts', address: 'alerts@monitor.example' }
  return createMailTransport({ host, port, isSecure, from }, credentials)
}

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
