import { ServiceError } from '../contract/errors.ts'
import type { SignUp, SignUpState } from '../contract/people/operations/sign-up.ts'
import type { Db, Tx } from '../database/connection.ts'
import { transact } from '../platform/concurrency/transact.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'
import { refuseInvalidCompany } from '../workspace/company/company-rules.ts'
import { enqueueLetter } from './links/enqueue-letter.ts'
import { fromPlace, takeMailRequest, toMailbox } from './links/mail-requests.ts'
import { findLink, issueLink, takeLink } from './links/one-time-link.ts'
import { refuseCompanySession } from './fresh.ts'
import { findPersonByEmail, refuseOtherMailbox } from './mailbox.ts'
import { hashPassword, refuseWeakPassword } from './password.ts'
import { addMember, insertPerson, refuseInvalidPerson } from './people.ts'
import type { Origin } from './own-act.ts'
import { openSession, type Replacing, type SignedInPerson } from './sessions.ts'
import type { SignInDeps } from './sign-in.ts'
import { findRedirect, slugTaken } from '../workspace/redirects.ts'
import { createWorkspace, selectWorkspaceId } from '../workspace/workspaces.ts'
import type { Sealing } from '../platform/sealing/sealing.ts'
import { dayMs, hourMs } from '../contract/durations.ts'

const purpose = 'sign_up'
const lifetimeMs = dayMs

/** The operator's settings for signing up. */
export type SignUpRules = { isOpen: boolean; termsUrl: string | null; privacyUrl: string | null }

type Asking = {
  rules: SignUpRules
  signUp: SignUp
  address: string
  requestId: string
  now: Date
}

/**
 * Stores the data of a new workspace, and sends the link that creates it. Whether the e-mail has an account shows only behind the link. Codes:
 * `forbidden` (closed), `invalid_request`, `rate_limited`, `not_configured`.
 */
export async function requestSignUp(
  { db, sealing }: { db: Db; sealing: Sealing },
  { rules, signUp, address, requestId, now }: Asking,
): Promise<void> {
  if (!rules.isOpen) throw new ServiceError('forbidden', { message: 'Sign-up is closed on this service.' })
  const { name, email, companyName, slug, securityContactEmail, timeZone } = signUp
  refuseInvalidPerson({ name, email })
  refuseInvalidCompany({ companyName, slug, securityContactEmail, timeZone })
  if (rules.termsUrl !== null && !signUp.acceptsTerms) {
    throw new ServiceError('invalid_request', { fields: { acceptsTerms: 'The terms must be accepted.' } })
  }
  const bounds = [
    ...fromPlace('sign-up', address, { limit: 5, withinMs: hourMs }),
    { subject: toMailbox('sign-up', email), limit: 5, withinMs: dayMs },
  ]
  await takeMailRequest(db, bounds, now)
  if (!(await isSlugFree(db, slug, now))) throw slugTaken()
  await transact(db, async (tx) => {
    const newLink = { purpose, recipient: email.trim(), personId: null, lifetimeMs, now } as const
    const link = await issueLink(tx, sealing, newLink)
    const company = companyName.trim()
    await tx
      .insertInto('sign_up')
      .values({
        link_id: link.id,
        name: name.trim(),
        company_name: company,
        slug,
        time_zone: timeZone,
        security_contact_email: securityContactEmail.trim(),
        terms_url: rules.termsUrl,
      })
      .execute()
    await recordAct(tx, {
      workspaceId: null,
      actor: { kind: 'system', id: null, name: 'sign-up', address, requestId },
      at: now,
      action: 'sign_up.requested',
      // nothing proves the company name typed here, and this entry outlasts the workspace
      object: { kind: 'sign_up', id: link.id },
    })
    const fact = {
      type: 'letter.sign_up',
      data: { company, expiresAt: link.expiresAt.toISOString() },
    } as const
    await enqueueLetter(tx, { fact, to: { email: email.trim(), name: name.trim() }, linkId: link.id, now })
  })
}

async function isSlugFree(db: Db, slug: string, now: Date): Promise<boolean> {
  const taken = await selectWorkspaceId(db, slug)
  return taken === undefined && (await findRedirect(db, slug, now)) === undefined
}

/** What a link will create, for the bearer of the link. Codes: `not_found`. */
export async function describeSignUp(
  db: Db,
  { secret, now }: { secret: string; now: Date },
): Promise<SignUpState> {
  const link = await findLink(db, { purpose, secret, now })
  const wanted = await selectSignUp(db, link.id)
  const [account, isFree] = await Promise.all([
    findPersonByEmail(db, link.recipient),
    isSlugFree(db, wanted.slug, now),
  ])
  return {
    email: link.recipient,
    name: wanted.name,
    companyName: wanted.company_name,
    slug: wanted.slug,
    isSlugFree: isFree,
    hasAccount: account !== undefined,
  }
}

function selectSignUp(db: Db, linkId: string) {
  return db.selectFrom('sign_up').selectAll().where('link_id', '=', linkId).executeTakeFirstOrThrow()
}

type Completing = Replacing & {
  secret: string
  slug: string
  password: string
  origin: Origin
  now: Date
}

/**
 * Creates the account and the workspace, a trial, and signs the owner in. Codes: `not_found` (link), `invalid_request` (fields `password`,
 * `slug`), `conflict` (the e-mail has an account: sign in and use `createFromSignUp`), `rate_limited`.
 */
export async function completeSignUp(
  { db, passwords }: SignInDeps,
  { secret, slug, password, origin, replacedSecret, now }: Completing,
): Promise<{ personId: string; secret: string; expiresAt: Date }> {
  await findLink(db, { purpose, secret, now })
  refuseWeakPassword(password, 'password')
  const passwordHash = await passwords.take(origin.address, () => hashPassword(password))
  return transact(db, async (tx) => {
    const link = await takeLink(tx, { purpose, secret, now })
    const { name } = await selectSignUp(tx, link.id)
    const personId = await insertPerson(tx, { email: link.recipient, name, passwordHash, now })
    await createOwned(tx, { linkId: link.id, slug, person: { id: personId, name }, origin, now })
    const { address } = origin
    return { personId, ...(await openSession(tx, { personId, address, replacedSecret, now })) }
  })
}

/**
 * Creates the workspace for a person who has an account. Codes: `forbidden` (a session of a company), `not_found` (link), `conflict` (another
 * address), `invalid_request` (`slug`).
 */
export async function createFromSignUp(
  db: Db,
  act: { secret: string; slug: string; person: SignedInPerson; origin: Origin; now: Date },
): Promise<void> {
  const { secret, slug, person, origin, now } = act
  refuseCompanySession(person, 'create another workspace')
  const { recipient } = await findLink(db, { purpose, secret, now })
  refuseOtherMailbox(person, recipient)
  await transact(db, async (tx) => {
    const link = await takeLink(tx, { purpose, secret, now })
    const owner = { id: person.personId, name: person.name }
    await createOwned(tx, { linkId: link.id, slug, person: owner, origin, now })
  })
}

type Owned = {
  linkId: string
  slug: string
  person: { id: string; name: string }
  origin: Origin
  now: Date
}

async function createOwned(tx: Tx, { linkId, slug, person, origin, now }: Owned): Promise<void> {
  const wanted = await selectSignUp(tx, linkId)
  const actor: Actor = { kind: 'person', ...person, ...origin }
  const workspace = await createWorkspace(tx, {
    slug,
    companyName: wanted.company_name,
    securityContactEmail: wanted.security_contact_email,
    timeZone: wanted.time_zone,
    plan: 'trial',
    actor,
    now,
  })
  if (wanted.terms_url !== null) {
    await recordAct(tx, {
      workspaceId: workspace.id,
      actor,
      at: now,
      action: 'workspace.terms_accepted',
      object: { kind: 'workspace', id: workspace.id, name: wanted.company_name },
      after: { terms: wanted.terms_url },
    })
  }
  const owner = { workspaceId: workspace.id, personId: person.id, name: person.name, role: 'owner' } as const
  await addMember(tx, { ...owner, actor, now })
}
