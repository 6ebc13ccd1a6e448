import { sampleSbom } from '../../../support/sample-sbom.ts'
import { sampleVex } from '../../../support/sample-vex.ts'
import type { Values } from './fill-workspace.ts'

export type Allowed = Readonly<Record<string, string>>

/** What is requested of a route outside the addresses of one workspace, and what a stranger may see or do there. */
export type Entry = {
  /** The addresses; default: the route's own with the values filled in. */
  at?: (values: Values) => string[]
  /** JSON; text and bytes are sent as they are. */
  body?: (values: Values) => unknown
  /** Everybody may see what a company publishes. */
  shows?: 'published'
  /** Tables where rows about the other company or its members may appear or change, and why. */
  mayChange?: Allowed
  /** It ends the asker's session. */
  endsSession?: true
}

const password = 'not the password at all'
const other = 'another password altogether'
const assertion = { id: 'x', rawId: 'x', type: 'public-key', clientExtensionResults: {} }
const signed = { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' }
const registered = { clientDataJSON: 'x', attestationObject: 'x' }
const person = { name: 'Eve', email: 'eve@acme.example' }
const company = { companyName: 'Eve', slug: 'eves', securityContactEmail: 'eve@eve.example' }
const mailed = 'whoever names an address has a letter sent to it, with the same answer for every address'
const letters = { mail: mailed, job: mailed, one_time_link: mailed, mail_request_window: mailed }

/** The same for everybody, without data of any workspace. */
const asItIs: Entry = {}
const published: Entry = { shows: 'published' }
const json = (value: unknown): Entry => ({ body: () => value })
const named = (name: 'email' | 'slug', key: string): Entry => ({
  body: (values) => ({ [key]: values[name] }),
})
/** A link given to a reporter of the other company is no credential of the application. */
const secret = (more: Record<string, unknown> = {}): Entry => ({
  body: ({ receipt }) => ({ secret: receipt, ...more }),
})
const withPasskey = (response: unknown, more: Record<string, unknown> = {}): Entry => ({
  body: ({ passkey }) => ({ ...more, response: { ...assertion, id: passkey, rawId: passkey, response } }),
})

/** Routes where a token identifies the workspace, and the operator's routes. */
const tokenEntries: Record<string, Entry> = {
  'POST /api/v1/sboms': json(sampleSbom({ components: 2, serial: 900 })),
  'GET /api/v1/sboms/:id': { at: ({ sbom }) => [`/api/v1/sboms/${sbom}`] },
  'POST /api/v1/vex': json(sampleVex(900)),
  'POST /api/v1/connectors/dependency-track': json({ notification: {} }),
  'GET /api/v1/alert-destinations': asItIs,
  'POST /api/v1/alert-destinations': json({ kind: 'webhook', name: 'no address' }),
  'DELETE /api/v1/alert-destinations/:id': {
    at: ({ destination }) => [`/api/v1/alert-destinations/${destination}`],
  },
  'GET /metrics': asItIs,
  'POST /api/billing/stripe-events': {
    body: ({ slug }) => ({ data: { object: { client_reference_id: slug } } }),
  },
}

const openPaths = [
  ...['/api/v1/openapi.json', '/api/app/sign-up', '/healthz', '/readyz', '/', '/app'],
  ...['/docs', '/docs/api', '/docs/search', '/docs/search.json'],
]

/** A company's public pages, and pages of the service itself. */
const pageEntries: Record<string, Entry> = {
  ...Object.fromEntries(openPaths.map((path) => [`GET ${path}`, asItIs])),
  'GET /docs/:name': { at: ({ slug }) => [`/docs/${slug}`] },
  'GET /docs/images/:file': { at: ({ slug }) => [`/docs/images/${slug}.png`] },
  'GET /docs/assets/:file': { at: ({ slug }) => [`/docs/assets/${slug}.js`] },
  'GET /app/*': { at: ({ slug }) => [`/app/${slug}/families`] },
  'GET /app/assets/*': { at: ({ slug }) => [`/app/assets/${slug}.js`] },
  'GET /csaf/*': {
    ...published,
    at: ({ slug, draft }) =>
      ['provider-metadata.json', 'white/index.txt', `white/2026/${draft}.json`].map(
        (file) => `/csaf/${slug}/${file}`,
      ),
  },
  'OPTIONS /csaf/*': { ...published, at: ({ slug }) => [`/csaf/${slug}/white/index.txt`] },
  // a badge is visible to those who have its address
  'GET /badges/:file': { ...published, at: ({ badge }) => [`/badges/${badge}`] },
  'GET /disclose/:slug': published,
  'GET /disclose/:slug/security.txt': published,
  'GET /disclose/:slug/.well-known/security.txt': published,
  'GET /disclose/:slug/acknowledgments': published,
  'GET /disclose/:slug/advisories': published,
  'GET /disclose/:slug/advisories.atom': published,
  'GET /disclose/:slug/advisories/:trackingId': {
    ...published,
    at: ({ slug, trackingId, draft }) =>
      [trackingId, draft].map((id) => `/disclose/${slug}/advisories/${id}`),
  },
  'POST /disclose/:slug': {
    ...published,
    body: () => 'stamp=none',
    mayChange: { disclosure_window: 'what is sent to a company is counted' },
  },
  // a reporter's link is a credential: under another company's address it leads nowhere
  'GET /disclose/:slug/reports/:token': { at: ({ receipt }) => [`/disclose/acme/reports/${receipt}`] },
  'POST /disclose/:slug/reports/:token': {
    at: ({ receipt }) => [`/disclose/acme/reports/${receipt}`],
    body: () => 'text=More.',
  },
}

const text = (body: string): Entry => ({ body: () => body })

/** Without an operator's link, these pages do not exist. */
const operatorEntries: Record<string, Entry> = {
  'GET /operator/enter/:secret': { at: ({ receipt }) => [`/operator/enter/${receipt}`] },
  'POST /operator/enter/:secret': { at: ({ receipt }) => [`/operator/enter/${receipt}`] },
  'GET /operator': asItIs,
  'GET /operator/workspaces': asItIs,
  'GET /operator/workspaces/:slug': asItIs,
  'POST /operator/workspaces/:slug/plan': text('plan=free'),
  'POST /operator/workspaces/:slug/suspend': text('reason=Unpaid'),
  'POST /operator/workspaces/:slug/lift': asItIs,
  'POST /operator/workspaces/:slug/ceilings': text('families=1'),
  'GET /operator/jobs': asItIs,
  'POST /operator/jobs/retry': text('kind=match_sbom'),
  'GET /operator/mail': asItIs,
  'POST /operator/sign-out': asItIs,
}

/** Routes before there is a session. */
const signInEntries: Record<string, Entry> = {
  'POST /api/app/setup': secret({ ...person, ...company, password }),
  'POST /api/app/setup/state': secret(),
  'GET /api/app/session': asItIs,
  'POST /api/app/session': {
    body: ({ email }) => ({ email, password }),
    mayChange: { sign_in_window: 'attempts to sign in are counted' },
  },
  'POST /api/app/session/second-step': json({ code: '000000' }),
  'DELETE /api/app/session': { endsSession: true },
  'POST /api/app/session/passkey/options': secret(),
  'POST /api/app/session/passkey': withPasskey(signed),
  'POST /api/app/session/company': named('slug', 'workspace'),
  'POST /api/app/session/company/find': named('email', 'email'),
  'POST /api/app/session/company/return': json({ workspaceId: 'x', query: 'state=x&code=x' }),
  'POST /api/app/sign-up': {
    body: ({ email }) => ({ ...person, ...company, email, timeZone: 'UTC', acceptsTerms: true }),
    mayChange: { ...letters, sign_up: mailed },
  },
  'POST /api/app/sign-up/state': secret(),
  'POST /api/app/sign-up/complete': secret({ slug: 'eves', password }),
  'POST /api/app/sign-up/create': secret({ slug: 'eves' }),
  'POST /api/app/password-reset': { ...named('email', 'email'), mayChange: letters },
  'POST /api/app/password-reset/state': secret(),
  'POST /api/app/password-reset/complete': secret({ newPassword: other }),
  'POST /api/app/invitations/state': secret(),
  'POST /api/app/invitations/accept': secret({ name: 'Eve', password }),
  'POST /api/app/invitations/join': secret(),
}

/** The person's own account. */
const accountEntries: Record<string, Entry> = {
  'GET /account/sessions': asItIs,
  'DELETE /account/sessions': { endsSession: true },
  'DELETE /account/sessions/:session': asItIs,
  'POST /account/password': json({ currentPassword: password, newPassword: other }),
  'POST /account/confirmation': json({ password }),
  'POST /account/confirmation/company': named('slug', 'workspace'),
  'POST /account/confirmation/passkey/options': asItIs,
  'POST /account/confirmation/passkey': withPasskey(signed),
  'PATCH /account/profile': json({ name: 'Eve', timeZone: null }),
  'POST /account/email': { body: ({ email }) => ({ email, password }), mayChange: letters },
  'POST /account/email/confirm': secret(),
  'GET /account/second-factor': asItIs,
  'POST /account/second-factor/app': asItIs,
  'POST /account/second-factor/app/code': json({ code: '000000' }),
  'DELETE /account/second-factor/app': asItIs,
  'POST /account/second-factor/recovery-codes': asItIs,
  'POST /account/passkeys/options': asItIs,
  'POST /account/passkeys': withPasskey(registered, { name: 'Key' }),
  'DELETE /account/passkeys/:passkey': asItIs,
  'PATCH /account/notices/:slug': json({ timeZone: null }),
  'POST /account/bell/:slug/read': asItIs,
  'POST /account/bell/:slug/:entry/read': {
    at: ({ slug, entry }) => [slug, 'acme'].map((at) => `/api/app/account/bell/${at}/${entry}/read`),
  },
}

/** By method and address. */
export const entries: Readonly<Record<string, Entry>> = {
  ...tokenEntries,
  ...pageEntries,
  ...operatorEntries,
  ...signInEntries,
  ...Object.fromEntries(
    Object.entries(accountEntries).map(([name, entry]) => [name.replace(' ', ' /api/app'), entry]),
  ),
}

const noted = "the asker's own workspace notes what its members export, with the filter as they gave it"

/** The same for workspace routes that write in the asker's own workspace. */
export const mayChangeElsewhere: Readonly<Record<string, Allowed>> = {
  'GET /api/app/workspaces/:slug/audit/export': { 'audit_event elsewhere': noted },
  'GET /api/app/workspaces/:slug/incidents/export': { 'audit_event elsewhere': noted },
  'GET /api/app/workspaces/:slug/vulnerabilities/export': { 'audit_event elsewhere': noted },
}
