import { existingTime } from '../contract/calendar.ts'
import { ServiceError } from '../contract/errors.ts'
import { InputReader } from '../platform/input-reader.ts'
import { limits } from '../contract/limits.ts'
import type { TokenKind } from '../contract/tokens/shapes.ts'
import { Value } from 'typebox/value'
import type { Db } from '../database/connection.ts'
import type { Actor } from '../audit/record-acts.ts'
import { archiveFamily, restoreFamily } from '../products/families/change-family.ts'
import { createFamily } from '../products/families/create-family.ts'
import { hashPassword } from '../people/password.ts'
import { findPersonByEmail } from '../people/mailbox.ts'
import { addMember, refuseInvalidPerson, selectOrInsertPerson } from '../people/people.ts'
import { createToken } from '../products/tokens/create-token.ts'
import { selectOrInsertVersion } from '../products/versions.ts'
import { createWorkspace, selectWorkspace, setClosed, setPlan } from '../workspace/workspaces.ts'
import { hiddenNames } from './hidden-names.ts'
import { inWords, ProvisionRefused } from './refused.ts'
import { ProvisionDocument, type ProvisionFamily, type ProvisionWorkspace } from './document.ts'

const actor: Actor = { kind: 'system', id: null, name: 'command line' }

type Provisioning = {
  /** What was made so far, even when it throws `ProvisionRefused`: secrets cannot be shown again. */
  made?: ProvisionWorkspace[]
  /** How a password is hashed; tests, which sign in thousands of times, take less of it. */
  hash?: (password: string) => Promise<string>
}

/**
 * Creates what the document names and the database lacks, and returns the same document with ids and the secrets of new tokens.
 * Running it twice makes nothing twice.
 */
export async function provision(
  db: Db,
  input: unknown,
  now: Date,
  { made = [], hash = hashPassword }: Provisioning = {},
): Promise<ProvisionDocument> {
  if (!Value.Check(ProvisionDocument, input)) throw new ProvisionRefused(mistakes(schemaErrors(input)))
  const hidden = hiddenNames(input)
  if (hidden.length > 0) throw new ProvisionRefused(mistakes(hidden))
  for (const workspace of input.workspaces) {
    await inWords(`workspace "${workspace.slug}"`, () =>
      provisionWorkspace(db, workspace, { now, made, hash }),
    )
  }
  return { workspaces: made }
}

function schemaErrors(input: unknown): string[] {
  return Value.Errors(ProvisionDocument, input).map((error) => {
    const { instancePath: place, message } = error
    return `${place === '' ? '/' : place}: ${error.keyword === 'enum' ? notListed(error, Value.Pointer.Get(input, place)) : message}`
  })
}

function notListed({ params }: { params: { allowedValues: unknown[] } }, found: unknown): string {
  return `must be one of ${params.allowedValues.join(', ')}; found ${JSON.stringify(found).slice(0, 80)}`
}

function mistakes(places: string[]): string {
  return ['the document is not as expected:', ...places.slice(0, 20).map((place) => `  ${place}`)].join('\n')
}

async function provisionWorkspace(
  db: Db,
  workspace: ProvisionWorkspace,
  { now, made, hash }: Required<Provisioning> & { now: Date },
): Promise<void> {
  const id = await selectOrCreateWorkspace(db, workspace, now)
  const members: NonNullable<ProvisionWorkspace['members']> = []
  const families: ProvisionFamily[] = []
  const tokens: NonNullable<ProvisionWorkspace['tokens']> = []
  made.push({ ...workspace, id, members, families, tokens })
  await applyPlan(db, { id, plan: workspace.plan, now })
  for (const member of workspace.members ?? []) {
    const make = () => provisionMember(db, { hash, workspaceId: id, member, now })
    members.push({ ...member, id: await inWords(`member "${member.email}" of "${workspace.slug}"`, make) })
  }
  for (const family of workspace.families ?? []) {
    const make = () => provisionFamily(db, { workspaceId: id, family, now, made: families })
    await inWords(`family "${family.name}" of "${workspace.slug}"`, make)
  }
  for (const token of workspace.tokens ?? []) {
    const newToken = { workspaceId: id, familyId: null, kind: 'workspace', token, now } as const
    const make = () => provisionToken(db, newToken)
    tokens.push({ ...token, ...(await inWords(`token "${token.name}" of "${workspace.slug}"`, make)) })
  }
  const { disclosure } = workspace
  if (disclosure !== undefined)
    await inWords(`disclosure of "${workspace.slug}"`, () => provisionDisclosure(db, id, disclosure))
}

async function selectOrCreateWorkspace(db: Db, workspace: ProvisionWorkspace, now: Date): Promise<string> {
  const known = await db
    .selectFrom('workspace')
    .select('id')
    .where('slug', '=', workspace.slug)
    .executeTakeFirst()
  if (known !== undefined) return known.id
  const plan = workspace.plan === 'closed' ? 'free' : workspace.plan
  return db.transaction().execute(async (tx) => {
    const made = await createWorkspace(tx, {
      slug: workspace.slug,
      companyName: workspace.companyName,
      securityContactEmail: workspace.securityContactEmail,
      ...(workspace.timeZone === undefined ? {} : { timeZone: workspace.timeZone }),
      plan,
      actor,
      now,
    })
    return made.id
  })
}

async function applyPlan(
  db: Db,
  { id, plan, now }: { id: string; plan: ProvisionWorkspace['plan']; now: Date },
): Promise<void> {
  const current = await selectWorkspace(db, id)
  const isClosed = current.closed_at !== null
  if (plan === 'closed') {
    if (!isClosed) await setClosed(db, { workspaceId: id, closedAt: now, actor, now })
    return
  }
  if (isClosed) await setClosed(db, { workspaceId: id, closedAt: null, actor, now })
  if (current.plan !== plan) await setPlan(db, { workspaceId: id, plan, actor, now })
}

type MemberInput = {
  hash: (password: string) => Promise<string>
  workspaceId: string
  member: NonNullable<ProvisionWorkspace['members']>[number]
  now: Date
}

async function provisionMember(db: Db, { hash, workspaceId, member, now }: MemberInput): Promise<string> {
  if ((await findPersonByEmail(db, member.email)) === undefined) refuseInvalidPerson(member)
  const passwordHash = member.password === undefined ? null : await hash(member.password)
  return db.transaction().execute(async (tx) => {
    const person = await selectOrInsertPerson(tx, {
      email: member.email,
      name: member.name,
      passwordHash,
      now,
    })
    await addMember(tx, {
      workspaceId,
      personId: person.id,
      name: member.name,
      role: member.role,
      actor,
      now,
    })
    return person.id
  })
}

type FamilyInput = { workspaceId: string; family: ProvisionFamily; now: Date; made: ProvisionFamily[] }

async function provisionFamily(db: Db, { workspaceId, family, now, made }: FamilyInput): Promise<void> {
  const known = await db
    .selectFrom('family')
    .select(['id', 'archived_at'])
    .where('workspace_id', '=', workspaceId)
    .where('name', '=', family.name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  const id = known?.id ?? (await createFamily(db, { workspaceId, name: family.name, actor, now })).id
  const tokens: NonNullable<ProvisionFamily['tokens']> = []
  made.push({ ...family, id, tokens })
  const isArchived = (known?.archived_at ?? null) !== null
  if (isArchived) await restoreFamily(db, { workspaceId, familyId: id, actor, now })
  await provisionVersions(db, { workspaceId, familyId: id, names: family.versions ?? [], now })
  for (const token of family.tokens ?? []) {
    const kind = token.kind ?? 'upload'
    const newToken = { workspaceId, familyId: id, kind, token, now }
    tokens.push({ ...token, kind, ...(await provisionToken(db, newToken)) })
  }
  if (family.archived ?? isArchived) await archiveFamily(db, { workspaceId, familyId: id, actor, now })
}

type VersionsInput = { workspaceId: string; familyId: string; names: readonly string[]; now: Date }

async function provisionVersions(db: Db, { names, ...family }: VersionsInput): Promise<void> {
  for (const name of names) {
    refuseVersionName(name)
    await selectOrInsertVersion(db, { ...family, name })
  }
}

/** No upload could name it: there a blank name is none, and a longer one is cut. */
function refuseVersionName(name: string): void {
  if (name.trim() === name && name !== '' && [...name].length <= limits.versionCharacters) return
  const problem = `Expected 1 to ${limits.versionCharacters} characters without spaces around them, found "${name}".`
  throw new ServiceError('invalid_request', { fields: { versions: problem } })
}

type TokenInput = {
  workspaceId: string
  familyId: string | null
  kind: TokenKind
  token: { name: string; expiresAt?: string | null }
  now: Date
}

/** A token of this name that is not revoked is left as it is; its secret cannot be shown again. */
async function provisionToken(
  db: Db,
  { workspaceId, familyId, kind, token, now }: TokenInput,
): Promise<{ id: string; token?: string }> {
  const known = await db
    .selectFrom('token')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', familyId === null ? 'is' : '=', familyId)
    .where('kind', '=', kind)
    .where('name', '=', token.name)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (known !== undefined) return { id: known.id }
  const expiresAt = readExpiry(token.expiresAt ?? null)
  const made = await createToken(db, { workspaceId, kind, familyId, name: token.name, expiresAt, actor, now })
  return { id: made.id, token: made.secret }
}

function readExpiry(text: string | null): Date | null {
  const at = text === null ? null : existingTime(text)
  if (text !== null && at === null)
    throw new ServiceError('invalid_request', { fields: { expiresAt: `Expected a time, found "${text}".` } })
  return at
}

async function provisionDisclosure(
  db: Db,
  workspaceId: string,
  disclosure: NonNullable<ProvisionWorkspace['disclosure']>,
): Promise<void> {
  const contact = disclosure.publicContactEmail?.trim() ?? null
  const input = new InputReader()
  if (contact !== null) input.email('publicContactEmail', contact)
  input.finish()
  const settings = {
    public_contact_email: contact,
    canonical_url: disclosure.canonicalUrl ?? null,
    acknowledge_days: disclosure.policyDays === undefined ? 3 : disclosure.policyDays,
  }
  await db
    .insertInto('disclosure_settings')
    .values({ workspace_id: workspaceId, ...settings })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(settings))
    .execute()
}
