import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendSbom, sendVex } from '../../src/contract/sbom/upload-operations.ts'
import { issueSetupLink } from '../../src/people/setup.ts'
import { operations } from '../../src/http/routes.ts'
import type { Operation } from '../../src/http/operation.ts'
import { AppSession } from '../support/app-session.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { startTestHttp, type TestHttp } from '../support/http.ts'
import { createScene, type TestWorkspace } from '../support/scene.ts'
import { testNow } from '../support/clock.ts'

/** Controls, what turns the direction of text, what has no width, and a line end: inside a name, where nothing trims them. */
const hidden = [
  ['\u0007', 'U+0007'],
  ['\u009b', 'U+009B'],
  ['\u200b', 'U+200B'],
  ['\u200f', 'U+200F'],
  ['\u2028', 'U+2028'],
  ['\u202e', 'U+202E'],
  ['\u2066', 'U+2066'],
  ['\u{e0041}', 'U+E0041'],
] as const

/** Every text that a person types and others see, and the request that is good but for it. */
type Named = { path: string; name: string; values: Record<string, unknown>; words?: RegExp }

const cannotBeSeen = /^It contains an invisible character \(U\+[0-9A-F]+\)\.$/
const setup = {
  secret: '',
  name: 'Olga',
  email: 'olga@acme.example',
  password: 'a long enough password',
  companyName: 'Acme',
  slug: 'acme-two',
  securityContactEmail: 'security@acme.example',
  timeZone: 'Europe/Oslo',
}
const token = { name: 'ops', kind: 'workspace', familyId: null, expiresInDays: 30 }
const destination = {
  kind: 'webhook',
  name: 'On call',
  url: 'https://alerts.acme.example/hook',
  events: ['incident.opened'],
}
const passkey = {
  ...{ id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} },
  response: { clientDataJSON: 'x', attestationObject: 'x' },
}
const named: Named[] = [
  { path: 'POST /workspaces/:slug/families', name: 'name', values: { name: 'Pump' } },
  { path: 'PATCH /workspaces/:slug/families/:family', name: 'name', values: { name: 'Pump' } },
  { path: 'POST /workspaces/:slug/tokens', name: 'name', values: token },
  { path: 'POST /workspaces/:slug/destinations', name: 'name', values: destination },
  {
    path: 'POST /workspaces/:slug/destinations',
    name: 'url',
    values: destination,
    words: /^It (contains a space, a backslash or an invisible character|must start with https)/,
  },
  { path: 'PATCH /workspaces/:slug/destinations/:destination', name: 'name', values: { name: 'On call' } },
  {
    path: 'POST /workspaces/:slug/advisories/corrections',
    name: 'summary',
    values: { summary: 'A new name.' },
  },
  {
    path: 'POST /workspaces/:slug/advisories/:advisory/publish',
    name: 'summary',
    values: { revision: 1, summary: 'First.' },
  },
  {
    path: 'POST /workspaces/:slug/advisories/:advisory/tracking-id',
    name: 'trackingId',
    values: { trackingId: 'ACME-1' },
    words: /^Only letters A-Z/,
  },
  {
    path: 'PATCH /workspaces/:slug/advisory-settings',
    name: 'trackingPrefix',
    values: { trackingPrefix: 'ACME-SA' },
    words: /^Up to 48 letters/,
  },
  {
    path: 'POST /workspaces/:slug/inbox/:number/credit',
    name: 'name',
    values: { name: 'Ada Lovelace', link: null },
  },
  {
    path: 'POST /workspaces/:slug/incidents',
    name: 'title',
    values: { kind: 'severe_incident', title: 'Broken signing key', families: [] },
  },
  { path: 'PATCH /workspaces/:slug/company', name: 'companyName', values: { companyName: 'Acme' } },
  {
    path: 'PATCH /workspaces/:slug/company',
    name: 'slug',
    values: { slug: 'acme-two' },
    words: /^3 to 40 characters a-z, 0-9 and dashes/,
  },
  {
    path: 'PATCH /workspaces/:slug/company',
    name: 'securityContactEmail',
    values: { securityContactEmail: 'security@acme.example' },
    words: /^An e-mail address is required/,
  },
  {
    path: 'PATCH /workspaces/:slug/company',
    name: 'timeZone',
    values: { timeZone: 'Europe/Oslo' },
    words: /^A time zone name/,
  },
  {
    path: 'POST /workspaces/:slug/sign-in/issuer',
    name: 'clientId',
    values: { issuer: 'https://id.acme.example', clientId: 'monitor', clientSecret: null },
    words: /^The id that the issuer has given/,
  },
  {
    path: 'POST /workspaces/:slug/sign-in/domains',
    name: 'domain',
    values: { domain: 'acme.example' },
    words: /^A domain such as/,
  },
  { path: 'POST /account/passkeys', name: 'name', values: { name: 'Telephone', response: passkey } },
  ...['name', 'companyName', 'slug', 'email', 'securityContactEmail', 'timeZone'].map((name) => ({
    path: 'POST /sign-up',
    name,
    values: { ...setup, acceptsTerms: true },
    words: /^(It contains an invisible|An e-mail address is|A time zone name|3 to 40 characters)/,
  })),
  { path: 'PATCH /account/profile', name: 'name', values: { name: 'Olga' } },
  {
    path: 'POST /workspaces/:slug/invitations',
    name: 'email',
    values: { email: 'new@acme.example', role: 'viewer' },
    words: /^An e-mail address is required/,
  },
  { path: 'POST /password-reset', name: 'email', values: setup, words: /^An e-mail address is required/ },
  { path: 'POST /setup', name: 'name', values: setup },
  { path: 'POST /setup', name: 'companyName', values: setup },
  { path: 'POST /setup', name: 'slug', values: setup, words: /^3 to 40 characters a-z, 0-9 and dashes/ },
  { path: 'POST /setup', name: 'email', values: setup, words: /^An e-mail address is required/ },
  {
    path: 'POST /setup',
    name: 'securityContactEmail',
    values: setup,
    words: /^An e-mail address is required/,
  },
  { path: 'POST /setup', name: 'timeZone', values: setup, words: /^A time zone name/ },
]

/** Texts in bodies that name nothing: what only its sender knows, what is compared and never stored, and free text. */
const namesNothing = new Map([
  ['PATCH /workspaces/:slug/advisory-settings generalNote', 'free text, shown with its hidden characters'],
  ['PATCH /workspaces/:slug/advisory-settings legalNote', 'free text, shown with its hidden characters'],
  ['PATCH /workspaces/:slug/members/:person password', 'known to its person alone'],
  ['POST /workspaces/:slug/members/:person/remove password', 'known to its person alone'],
  ['POST /workspaces/:slug/invitations password', 'known to its person alone'],
  ['POST /account/email email', 'an address, refused as in sign-up (test/people)'],
  ['POST /account/email password', 'known to its person alone'],
  ['POST /account/email/confirm secret', 'compared'],
  ['POST /invitations/accept name', 'named once the link is known: hidden characters refused (test/people)'],
  ['POST /invitations/accept password', 'known to its person alone'],
  ['POST /invitations/accept secret', 'compared'],
  ['POST /invitations/join secret', 'compared'],
  ['POST /invitations/state secret', 'compared'],
  ['POST /password-reset/complete newPassword', 'known to its person alone'],
  ['POST /password-reset/complete secret', 'compared'],
  ['POST /password-reset/state secret', 'compared'],
  ['POST /sign-up/complete password', 'known to its person alone'],
  ['POST /sign-up/complete secret', 'compared'],
  ['POST /sign-up/complete slug', 'judged by the rule of slugs (test/people)'],
  ['POST /sign-up/create secret', 'compared'],
  ['POST /sign-up/create slug', 'judged by the rule of slugs (test/people)'],
  ['POST /sign-up/state secret', 'compared'],
  ['POST /session email', 'compared'],
  ['POST /session password', 'secret'],
  ['POST /session/second-step secret', 'secret'],
  ['POST /session/passkey/options secret', 'secret'],
  ['POST /session/passkey secret', 'secret'],
  ['POST /workspaces/:slug/sign-in/issuer issuer', 'an address, judged and written as one'],
  ['POST /session/company/find email', 'compared'],
  ['POST /session/company workspace', 'compared'],
  ['POST /session/company/return query', 'compared'],
  ['POST /session/company/return workspaceId', 'compared'],
  ['POST /account/confirmation/company workspace', 'compared'],
  ['POST /workspaces/:slug/sign-in/domains/verification domain', 'compared'],
  ['DELETE /workspaces/:slug/sign-in/domains domain', 'compared'],
  ['POST /session/second-step code', 'compared'],
  ['POST /account/second-factor/app/code code', 'compared'],
  ['POST /account/confirmation password', 'secret'],
  ['POST /account/password currentPassword', 'secret'],
  ['POST /account/password newPassword', 'secret'],
  ['POST /workspaces/:slug/close confirmName', 'compared'],
  ['POST /workspaces/:slug/close password', 'secret'],
  ['POST /workspaces/:slug/delete confirmName', 'compared'],
  ['POST /workspaces/:slug/delete password', 'secret'],
  ['POST /setup/state secret', 'secret'],
  ['POST /setup secret', 'secret'],
  ['POST /setup password', 'secret'],
  ['DELETE /workspaces/:slug/families/:family confirmName', 'compared'],
  ['POST /workspaces/:slug/destinations kind', 'one of three words'],
  ['POST /workspaces/:slug/destinations/check-url url', 'judged, never stored'],
  ['POST /workspaces/:slug/advisories/:advisory/preview summary', 'shown, never stored'],
  ['POST /workspaces/:slug/inbox/:number/messages text', 'free text, shown with its hidden characters'],
  [
    'POST /workspaces/:slug/inbox/:number/outside-answers text',
    'free text, shown with its hidden characters',
  ],
  ['POST /workspaces/:slug/inbox/:number/notes text', 'free text, shown with its hidden characters'],
  ['POST /workspaces/:slug/decisions comment', 'free text, shown with its hidden characters'],
  [
    'POST /workspaces/:slug/incident-review/:finding/dismiss reason',
    'free text, shown with its hidden characters',
  ],
  [
    'PATCH /workspaces/:slug/incidents/:incident title',
    'named: one line of at most its length, hidden characters refused (test/incidents)',
  ],
  [
    'PATCH /workspaces/:slug/incidents/:incident/submissions/:submission delayReason',
    'free text, shown with its hidden characters',
  ],
  [
    'PATCH /workspaces/:slug/incidents/:incident/submissions/:submission reason',
    'free text, shown with its hidden characters',
  ],
  [
    'PATCH /workspaces/:slug/incidents/:incident/submissions/:submission submittedAt',
    'a time, judged as one',
  ],
  ['POST /workspaces/:slug/inbox/:number/incidents awareAt', 'a time, judged as one'],
  [
    'POST /workspaces/:slug/inbox/:number/incidents awareReason',
    'free text, shown with its hidden characters',
  ],
  [
    'POST /workspaces/:slug/inbox/:number/incidents title',
    'named: one line of at most its length, hidden characters refused (test/disclosure/links.test.ts)',
  ],
  ['POST /workspaces/:slug/inbox/:number/incidents occurredAt', 'a time, judged as one'],
  ['POST /workspaces/:slug/inbox/:number/incidents vulnerability', 'an id of letters, digits and dashes'],
  ['POST /workspaces/:slug/incidents awareAt', 'a time, judged as one'],
  ['POST /workspaces/:slug/incidents occurredAt', 'a time, judged as one'],
  ['POST /workspaces/:slug/incidents vulnerability', 'an id of letters, digits and dashes'],
  ['POST /workspaces/:slug/incidents/:incident/awareness awareAt', 'a time, judged as one'],
  [
    'POST /workspaces/:slug/incidents/:incident/awareness reason',
    'free text, shown with its hidden characters',
  ],
  [
    'POST /workspaces/:slug/incidents/:incident/awareness/:change/decision comment',
    'free text, shown with its hidden characters',
  ],
  ['POST /workspaces/:slug/incidents/:incident/close reason', 'free text, shown with its hidden characters'],
  ['POST /workspaces/:slug/incidents/:incident/comments text', 'free text, shown with its hidden characters'],
  ['POST /workspaces/:slug/incidents/:incident/determinations classifiedAt', 'a time, judged as one'],
  [
    'POST /workspaces/:slug/incidents/:incident/determinations reasoning',
    'free text, shown with its hidden characters',
  ],
  [
    'POST /workspaces/:slug/incidents/:incident/determinations/:determination/decision comment',
    'free text, shown with its hidden characters',
  ],
  ['POST /workspaces/:slug/incidents/:incident/informed at', 'a time, judged as one'],
  ['POST /workspaces/:slug/incidents/:incident/informed how', 'free text, shown with its hidden characters'],
  ['POST /workspaces/:slug/incidents/:incident/regimes awareAt', 'a time, judged as one'],
  [
    'POST /workspaces/:slug/incidents/:incident/regimes reason',
    'free text, shown with its hidden characters',
  ],
  ['POST /workspaces/:slug/incidents/:incident/reopen awareAt', 'a time, judged as one'],
  ['POST /workspaces/:slug/incidents/:incident/reopen reason', 'free text, shown with its hidden characters'],
  ['POST /workspaces/:slug/incidents/:incident/reports/:report/draft/copy from', 'an id'],
  [
    'POST /workspaces/:slug/incidents/:incident/reports/:report/submissions authority',
    'named: one line of at most its length, hidden characters refused (test/incidents)',
  ],
  [
    'POST /workspaces/:slug/incidents/:incident/reports/:report/submissions channel',
    'named: one line of at most its length, hidden characters refused (test/incidents)',
  ],
  [
    'POST /workspaces/:slug/incidents/:incident/reports/:report/submissions delayReason',
    'free text, shown with its hidden characters',
  ],
  [
    'POST /workspaces/:slug/incidents/:incident/reports/:report/submissions reference',
    'named: one line of at most its length, hidden characters refused (test/incidents)',
  ],
  [
    'POST /workspaces/:slug/incidents/:incident/reports/:report/submissions submittedAt',
    'a time, judged as one',
  ],
  [
    'POST /workspaces/:slug/incidents/:incident/reports/:report/waiver reason',
    'free text, shown with its hidden characters',
  ],
  [
    'POST /workspaces/:slug/incidents/:incident/tasks title',
    'named: one line of at most its length, hidden characters refused (test/incidents)',
  ],
  [
    'POST /workspaces/:slug/incidents/bulk/submissions authority',
    'named: one line of at most its length, hidden characters refused (test/incidents)',
  ],
  [
    'POST /workspaces/:slug/incidents/bulk/submissions channel',
    'named: one line of at most its length, hidden characters refused (test/incidents)',
  ],
  [
    'POST /workspaces/:slug/incidents/bulk/submissions delayReason',
    'free text, shown with its hidden characters',
  ],
  [
    'POST /workspaces/:slug/incidents/bulk/submissions reference',
    'named: one line of at most its length, hidden characters refused (test/incidents)',
  ],
  ['POST /workspaces/:slug/incidents/bulk/submissions submittedAt', 'a time, judged as one'],
  ['POST /workspaces/:slug/incidents/bulk/drafts from', 'an id'],
  ['POST /workspaces/:slug/incidents/bulk/approvals comment', 'free text, shown with its hidden characters'],
  [
    'POST /workspaces/:slug/incidents/bulk/determinations reasoning',
    'free text, shown with its hidden characters',
  ],
])

const textFields = ({ method, url, bodySchema, body }: Operation): string[] => {
  if (body !== 'json') return []
  const { properties } = bodySchema as { properties: Record<string, { type?: string; format?: string }> }
  return Object.entries(properties)
    .filter(([, { type, format }]) => type === 'string' && format === undefined)
    .map(([field]) => `${method} ${url.replace('/api/app', '')} ${field}`)
}

let store: TestDatabase
let http: TestHttp
let acme: TestWorkspace
let owner: AppSession
/** An installation before its first run, for the names that are given there. */
let emptyStore: TestDatabase
let emptyHttp: TestHttp
let stranger: AppSession
let setupSecret: string
beforeAll(async () => {
  store = await createTestDatabase()
  http = await startTestHttp({ database: store, now: () => testNow })
  ;[acme] = await createScene(store.db)
  owner = await AppSession.signIn(http.url, acme.members.owner)
  emptyStore = await createTestDatabase()
  emptyHttp = await startTestHttp({ database: emptyStore, now: () => testNow })
  stranger = new AppSession(emptyHttp.url)
  setupSecret = (await issueSetupLink(emptyStore.db, testNow)) ?? ''
})
afterAll(async () => {
  await http.stop()
  await store.drop()
  await emptyHttp.stop()
  await emptyStore.drop()
})

const addressOf = (path: string): string =>
  path
    .replace(':slug', 'acme')
    .replace(':family', acme.families[0]?.id ?? '')
    .replace(':destination', acme.id)
    .replace(':advisory', acme.id)
    .replace(':number', '1')

describe('names that people type', () => {
  it('are known for every text in the body of every operation', () => {
    const known = [...named.map(({ path, name }) => `${path} ${name}`), ...namesNothing.keys()]
    expect(operations.flatMap(textFields).sort()).toEqual(known.sort())
  })

  it.each(named.map((one) => [`${one.path} ${one.name}`, one] as const))(
    'with a character that cannot be seen are refused with the field: %s',
    async (_name, { path, name, values, words = cannotBeSeen }) => {
      const [method = '', address = ''] = path.split(' ')
      const isSetup = path === 'POST /setup'
      for (const [character] of hidden) {
        const whole = String(values[name])
        const typed = `${whole.slice(0, 2)}${character}${whole.slice(2)}`
        const body = { ...values, ...(isSetup ? { secret: setupSecret } : {}), [name]: typed }
        const session = isSetup ? stranger : owner
        const answer = await session.send(addressOf(address), { method: method as 'POST', body })
        expect(answer, JSON.stringify(typed)).toMatchObject({
          status: 400,
          body: { error: 'invalid_request', fields: { [name]: expect.stringMatching(words) as string } },
        })
      }
    },
  )

  it.each(['sboms', 'vex'])('are refused as the version of what a member sends: %s', async (kind) => {
    const send = kind === 'vex' ? sendVex : sendSbom
    const params = { family: acme.families[0]?.id }
    for (const [character, code] of hidden) {
      const answer = await owner.refused(send, { params, query: { version: `1.${character}0` }, raw: '{}' })
      expect(answer).toMatchObject({
        status: 400,
        body: { fields: { version: `It contains an invisible character (${code}).` } },
      })
    }
  })

  it('leave nothing behind when they are refused', async () => {
    const families = await store.db.selectFrom('family').select('name').execute()
    expect(families.map(({ name }) => name).sort()).toEqual(['Pump 1', 'Pump 1', 'Pump 2', 'Pump 2'])
    const tokens = await store.db.selectFrom('token').select('name').where('kind', '=', 'workspace').execute()
    expect(tokens.map(({ name }) => name)).toEqual(['ops', 'ops'])
    expect(await emptyStore.db.selectFrom('person').select('id').execute()).toEqual([])
  })
})
