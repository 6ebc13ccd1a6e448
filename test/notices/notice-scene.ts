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
