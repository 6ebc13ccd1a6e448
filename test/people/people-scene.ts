import pino from 'pino'
import { expect } from 'vitest'
import { showMail } from '../../src/notices/mail/list-mail.ts'
import { sendDueMails } from '../../src/notices/mail/mailer.ts'
import type { LetterKind } from '../../src/contract/notices/letters.ts'
import type { NoticeKind } from '../../src/contract/notices/shapes.ts'
import { roles, type Role } from '../../src/contract/roles.ts'
import { provision } from '../../src/provision/provision.ts'
import type { SignUpRules } from '../../src/people/sign-up.ts'
import { AppSession } from '../support/app-session.ts'
import { testNow } from '../support/clock.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { drain } from '../support/drain.ts'
import { baseUrl, startTestHttp, testSealing, type TestHttp } from '../support/http.ts'
import { quickHash } from '../support/quick-hash.ts'

export const password = 'a long enough password'

/** A letter as read: its text and the secret of its link. */
export type Letter = { to: string; kind: string; subject: string | null; text: string; secret: string }

/** Two workspaces, `acme` with a member of each role, and the mail stored by the service. */
export type PeopleScene = {
  database: TestDatabase
  http: TestHttp
  now: Date
  signIn: (role: Role, slug?: string) => Promise<AppSession>
  emailOf: (role: Role, slug?: string) => string
  idOf: (role: Role, slug?: string) => Promise<string>
  /** Each workspace has one family. */
  familyIdOf: (slug: string) => Promise<string>
  /** Sends pending mail and returns the newest letter to an address. */
  letterTo: (email: string, kind?: LetterKind) => Promise<Letter>
  /** Number of letters to an address. */
  lettersTo: (email: string) => Promise<number>
  /** The audit trail's actions, oldest first. */
  acts: () => Promise<string[]>
  /** The notices by kind and recipient. */
  told: (kind: NoticeKind) => Promise<string[]>
  close: () => Promise<void>
}

const emailOf = (role: Role, slug = 'acme') => `${role}@${slug}.example`

export async function openPeopleScene({ signUp }: { signUp?: SignUpRules } = {}): Promise<PeopleScene> {
  const database = await createTestDatabase()
  const { db } = database
  const time = { now: testNow }
  const http = await startTestHttp({
    database,
    now: () => time.now,
    trustProxy: 1,
    ...(signUp === undefined ? {} : { signUp }),
  })
  await provision(db, { workspaces: ['acme', 'umbrella'].map(workspaceOf) }, testNow, { hash: quickHash })

  async function settle(): Promise<void> {
    await drain(db, scene.now)
    const log = pino({ level: 'silent' })
    const place = { serviceName: 'SBOM Monitor', baseUrl, messageDomain: 'monitor.example', name: 'test' }
    await sendDueMails({ db, now: () => scene.now, log, transport: null, sealing: testSealing, ...place })
  }

  const scene: PeopleScene = {
    database,
    http,
    get now() {
      return time.now
    },
    set now(at) {
      time.now = at
    },
    emailOf,
    signIn: (role, slug = 'acme') => AppSession.signIn(http.url, { email: emailOf(role, slug), password }),
    idOf: async (role, slug) => {
      const person = await db
        .selectFrom('person')
        .select('id')
        .where('email', '=', emailOf(role, slug))
        .executeTakeFirstOrThrow()
      return person.id
    },
    familyIdOf: async (slug) => {
      const family = await db
        .selectFrom('family as f')
        .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
        .select('f.id')
        .where('w.slug', '=', slug)
        .executeTakeFirstOrThrow()
      return family.id
    },
    letterTo: async (email, kind) => {
      await settle()
      let newest = db.selectFrom('mail').select(['id', 'kind']).where('recipient', '=', email)
      newest = kind === undefined ? newest.where('person_id', 'is', null) : newest.where('kind', '=', kind)
      const row = await newest.orderBy('created_at', 'desc').orderBy('id', 'desc').executeTakeFirst()
      expect(row, `a letter to ${email}`).toBeDefined()
      const place = { db, sealing: testSealing, serviceName: 'SBOM Monitor', baseUrl }
      const shown = await showMail(place, { id: row?.id ?? '', now: scene.now })
      const text = shown?.text ?? ''
      const secret = /#([\w-]{43})/.exec(text)?.[1] ?? ''
      return { to: email, kind: row?.kind ?? '', subject: shown?.subject ?? null, text, secret }
    },
    lettersTo: async (email) => {
      await settle()
      const rows = await db.selectFrom('mail').select('id').where('recipient', '=', email).execute()
      return rows.length
    },
    acts: async () => {
      const rows = await db.selectFrom('audit_event').select('action').orderBy('id').execute()
      return rows.map(({ action }) => action)
    },
    told: async (kind) => {
      await settle()
      const rows = await db
        .selectFrom('bell_entry as b')
        .innerJoin('person as p', 'p.id', 'b.person_id')
        .select('p.name')
        .where('b.kind', '=', kind)
        .orderBy('p.name')
        .execute()
      return rows.map(({ name }) => name)
    },
    close: async () => {
      await http.stop()
      await database.drop()
    },
  }
  return scene
}

function workspaceOf(slug: string) {
  return {
    slug,
    companyName: `${slug} company`,
    securityContactEmail: `security@${slug}.example`,
    plan: 'core',
    members: roles.map((role) => ({
      email: emailOf(role, slug),
      name: `${role} of ${slug}`,
      role,
      password,
    })),
    families: [{ name: 'Pump' }],
  }
}
