import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { ServiceError } from '../../contract/errors.ts'
import type { CompanySignIn, CompanyWorkspaces } from '../../contract/people/sign-in.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { randomText } from '../../platform/random.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { recordAct } from '../../audit/record-acts.ts'
import { membersOf } from '../../workspace/members-of.ts'
import { enter, type OpenedSession } from '../enter.ts'
import type { Origin } from '../own-act.ts'
import type { Replacing, SignedInPerson } from '../sessions.ts'
import { recordFactorChange } from '../factors/second-factors.ts'
import { takeChallengeTurn } from '../sign-in-window.ts'
import { hashSecret } from '../../platform/secret-hash.ts'
import { lockIssuer, readIssuer } from './company-settings.ts'
import { authorizationUrl, claimsOf, type Claims, type Secrets } from './oidc.ts'

export type CompanyDeps = {
  db: Db
  sealing: Sealing
  outbound: Outbound
  log: Pick<Logger, 'warn'>
  baseUrl: string
}

const lifetimeMs = 10 * 60 * 1000

/**
 * The page to which only this workspace's issuer sends the browser back: an answer at another workspace's address comes from another
 * issuer than the one that the browser was sent to (RFC 9700 §4.4.2.2, "Mix-Up Defense via Distinct Redirect URIs").
 */
export function redirectUriOf(baseUrl: string, workspaceId: string): string {
  return `${baseUrl}/app/sign-in/company/${workspaceId}`
}

/** The companies that an address may belong to, by its domain alone: this does not reveal who is a member. */
export async function findCompanies(db: Db, email: string): Promise<CompanyWorkspaces> {
  const rows = await db
    .selectFrom('workspace_domain as d')
    .innerJoin('workspace as w', 'w.id', 'd.workspace_id')
    .innerJoin('single_sign_on as s', 's.workspace_id', 'w.id')
    .select(['w.slug', 'w.company_name'])
    .where('d.domain', '=', domainOf(email))
    .where('d.verified_at', 'is not', null)
    .orderBy('w.company_name')
    .limit(20)
    .execute()
  return { workspaces: rows.map(({ slug, company_name }) => ({ slug, companyName: company_name })) }
}

export function domainOf(email: string): string {
  return email.trim().toLowerCase().split('@').at(-1) ?? ''
}

type Begin = Pick<Origin, 'address'> & { now: Date; slug: string; confirms: SignedInPerson | null }

/**
 * Sends a browser to the issuer of a workspace. The secret goes into a cookie. Codes: `not_found`, `rate_limited`, `conflict`,
 * `not_configured`.
 */
export async function beginCompanySignIn(
  { db, sealing, baseUrl, ...asking }: CompanyDeps,
  { slug, address, confirms, now }: Begin,
): Promise<CompanySignIn & { secret: string }> {
  await takeChallengeTurn(db, { address, now })
  const workspace = await db.selectFrom('workspace').select('id').where('slug', '=', slug).executeTakeFirst()
  const issuer = workspace === undefined ? undefined : await readIssuer(db, sealing, workspace.id)
  if (workspace === undefined || issuer === undefined) throw new ServiceError('not_found')
  const secret = randomText(32)
  const url = await authorizationUrl(asking, {
    issuer,
    secrets: secretsOf(secret),
    redirectUri: redirectUriOf(baseUrl, workspace.id),
    confirms: confirms !== null,
    now,
  })
  await db
    .insertInto('company_sign_in')
    .values({
      secret_hash: hashSecret(secret),
      workspace_id: workspace.id,
      session_id: confirms?.sessionId ?? null,
      created_at: now,
    })
    .execute()
  return { url, secret }
}

/** All three are derived from the browser's secret, so the store keeps none of them. */
function secretsOf(secret: string): Secrets {
  const derived = (what: string) => createHmac('sha256', secret).update(what).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') }
}

/** Scheduled: removes sign-ins from which nobody came back. */
export async function forgetCompanySignIns(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('company_sign_in')
    .where('created_at', '<', new Date(now.getTime() - lifetimeMs))
    .execute()
}

type Return = Origin & { now: Date } & Replacing & {
    secret: string
    /** Whose page the browser came back to. */
    workspaceId: string
    parameters: URLSearchParams
    person: SignedInPerson | null
  }

/**
 * What the browser came back with from the issuer: a session of the workspace for a member, or the proof that a dangerous act waits
 * for. Codes: `signed_out` (begin again, or no member), `conflict` (the issuer), `not_configured`.
 */
export async function completeCompanySignIn(
  deps: CompanyDeps,
  { secret, workspaceId, parameters, person, ...origin }: Return,
): Promise<(OpenedSession & { only: string }) | 'confirmed'> {
  const { db, sealing, baseUrl } = deps
  const begun = await takeBegun(db, secret, origin.now)
  if (begun.workspace_id !== workspaceId) throw beginAgain()
  const issuer = await readIssuer(db, sealing, workspaceId)
  if (issuer === undefined) throw beginAgain()
  const confirms = begun.session_id !== null
  if (confirms && person?.sessionId !== begun.session_id) throw beginAgain()
  const redirectUri = redirectUriOf(baseUrl, workspaceId)
  const going = { issuer, secrets: secretsOf(secret), redirectUri, confirms }
  const claims = await claimsOf(deps, { ...going, parameters, now: origin.now })
  const proven = { workspaceId, issuer: issuer.issuer, claims, origin }
  return transact(db, async (tx) => {
    // removed while it was asked: what it opens and links would outlive it
    if (!(await lockIssuer(tx, { workspaceId, id: issuer.id }))) throw beginAgain()
    const found = await personOf(tx, proven)
    if (!confirms) {
      const proof = { how: 'company', workspaceId, confirmedAt: claims.authenticatedAt } as const
      return { ...(await enter(tx, { ...origin, person: found, proof })), only: workspaceId }
    }
    if (found.id !== person?.personId || person.companyWorkspaceId !== workspaceId) throw unknown()
    const confirmed = { confirmed_at: claims.authenticatedAt }
    await tx.updateTable('session').set(confirmed).where('id', '=', person.sessionId).execute()
    return 'confirmed'
  })
}

async function takeBegun(db: Db, secret: string, now: Date) {
  const { rows } = await sql<{ workspace_id: string; session_id: string | null }>`
    delete from company_sign_in
    where secret_hash = ${hashSecret(secret)} and created_at >= ${new Date(now.getTime() - lifetimeMs)}
    returning workspace_id, session_id`.execute(db)
  const [begun] = rows
  if (begun === undefined) throw beginAgain()
  return begun
}

function beginAgain(): ServiceError {
  return new ServiceError('signed_out', { message: 'The sign-in was not completed in time. Begin again.' })
}

function unknown(): ServiceError {
  return new ServiceError('signed_out', {
    message:
      'Your company knows you, but you are not a member of this workspace. Ask an owner or admin for an invitation.',
  })
}

type ProvenPerson = { workspaceId: string; issuer: string; claims: Claims; origin: Origin & { now: Date } }

/**
 * The member whom the account of the issuer is linked to. An account is linked when it comes for the first time, by an address of a
 * domain that the company has shown to be its own; each member to one account.
 */
async function personOf(tx: Tx, proven: ProvenPerson): Promise<{ id: string; name: string }> {
  const { workspaceId, issuer, claims } = proven
  const linked = await membersOf(tx, workspaceId)
    .select(['p.id', 'p.name'])
    .innerJoin('company_link as l', (join) =>
      join.onRef('l.person_id', '=', 'p.id').onRef('l.workspace_id', '=', 'm.workspace_id'),
    )
    .where('l.issuer', '=', issuer)
    .where('l.subject', '=', claims.subject)
    .executeTakeFirst()
  if (linked !== undefined) return linked
  const { email, isUnchecked } = claims
  if (email === null || isUnchecked) throw unknown()
  const domain = await tx
    .selectFrom('workspace_domain')
    .select('domain')
    .where('workspace_id', '=', workspaceId)
    .where('domain', '=', domainOf(email))
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  if (domain === undefined) throw unknown()
  const person = await membersOf(tx, workspaceId)
    .select(['p.id', 'p.name'])
    .where(sql<boolean>`lower(p.email) = lower(${email})`)
    .executeTakeFirst()
  if (person === undefined) throw unknown()
  await link(tx, proven, person)
  return person
}

async function link(tx: Tx, proven: ProvenPerson, person: { id: string; name: string }): Promise<void> {
  const { workspaceId, issuer, claims, origin } = proven
  const { address, requestId, now } = origin
  const made = await tx
    .insertInto('company_link')
    .values({
      workspace_id: workspaceId,
      issuer,
      subject: claims.subject,
      person_id: person.id,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  // an address that the issuer has reassigned to somebody else opens nobody's account
  if (made.numInsertedOrUpdatedRows !== 1n) throw unknown()
  await recordAct(tx, {
    workspaceId,
    actor: { kind: 'person', ...person, address, requestId },
    at: now,
    action: 'person.company_linked',
    object: { kind: 'person', ...person },
    after: { issuer },
  })
  await recordFactorChange(
    tx,
    { ...origin, person: { personId: person.id, name: person.name } },
    'company_linked',
  )
}
