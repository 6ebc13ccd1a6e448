import { isDeepStrictEqual } from 'node:util'
import { emailProblem } from '../../contract/people/email-address.ts'
import { withoutHidden } from '../../contract/hidden-characters.ts'
import { ServiceError } from '../../contract/errors.ts'
import {
  promiseDays,
  publicLanguages,
  type DisclosureSettings,
  type PublicLanguage,
} from '../../contract/disclosure/shapes.ts'
import { knownKeys } from '../../contract/known-keys.ts'
import { documentUrl } from '../../html/document-url.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { namesNothing } from '../../platform/names-nothing.ts'
import { textProblem } from '../../platform/input-reader.ts'
import { recordAct, type Actor } from '../../audit/record-acts.ts'
import { fileRoomOf } from '../reports/file-room.ts'
import { plainText } from '../form/read-report.ts'
import { defaultSettings, publicUrls } from './public-disclosure.ts'
import { securityTxt } from './security-txt.ts'

export const policyCharacters = 20_000
const urlCharacters = 1_000
const maxEmbargoDays = 365

type Asked = {
  workspaceId: string
  baseUrl: string
  now: Date
  sealing: Sealing
  feedUrl: string | null
}

/** The settings with what follows from them. */
export async function showDisclosureSettings(db: Db, asked: Asked): Promise<DisclosureSettings> {
  const { workspaceId, baseUrl, now, sealing, feedUrl } = asked
  const [workspace, stored, families, state, files] = await Promise.all([
    db
      .selectFrom('workspace')
      .select(['slug', 'company_name', 'security_contact_email'])
      .where('id', '=', workspaceId)
      .executeTakeFirstOrThrow(),
    selectStored(db, workspaceId),
    selectFamilies(db, workspaceId),
    sealing.state(db),
    fileRoomOf(db, workspaceId),
  ])
  const urls = publicUrls(workspace.slug, baseUrl)
  const disclosure = {
    workspaceId,
    slug: workspace.slug,
    companyName: workspace.company_name,
    contactEmail: stored.public_contact_email ?? workspace.security_contact_email,
    canonicalUrl: stored.canonical_url,
    promiseDays: stored.acknowledge_days,
    policy: stored.policy,
    encryptionUrl: stored.encryption_url,
    languages: stored.languages,
    embargoDays: stored.embargo_days,
    isClosed: false,
  }
  return {
    publicContactEmail: stored.public_contact_email,
    fallbackContactEmail: workspace.security_contact_email,
    policy: stored.policy,
    acknowledgeDays: stored.acknowledge_days,
    canonicalUrl: stored.canonical_url,
    canonicalWarning: canonicalWarning(stored.canonical_url),
    encryptionUrl: stored.encryption_url,
    languages: stored.languages,
    embargoDays: stored.embargo_days,
    families,
    urls: { policy: urls.policy, securityTxt: urls.securityTxt, acknowledgments: urls.acknowledgments },
    securityTxt: securityTxt({ disclosure, baseUrl, now, feedUrl }),
    canReceive: state === 'ready',
    files,
  }
}

/** A file read at any other than its own address is not valid for anybody (RFC 9116, 2.5.2 and 3). */
function canonicalWarning(url: string | null): string | null {
  if (url === null || url.endsWith('/.well-known/security.txt')) return null
  return 'It does not end in /.well-known/security.txt, where readers look for the file.'
}

type Stored = {
  public_contact_email: string | null
  canonical_url: string | null
  acknowledge_days: number | null
  policy: string | null
  encryption_url: string | null
  languages: PublicLanguage[]
  embargo_days: number
}

const unsaved: Stored = {
  public_contact_email: null,
  canonical_url: null,
  acknowledge_days: defaultSettings.promiseDays,
  policy: null,
  encryption_url: null,
  languages: [...defaultSettings.languages],
  embargo_days: defaultSettings.embargoDays,
}

const storedColumns = knownKeys(unsaved)

async function selectStored(db: Db, workspaceId: string): Promise<Stored> {
  const row = await db
    .selectFrom('disclosure_settings')
    .select(storedColumns)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return row ?? unsaved
}

async function selectFamilies(db: Db, workspaceId: string): Promise<DisclosureSettings['families']> {
  const rows = await db
    .selectFrom('family as f')
    .leftJoin('offered_family as o', 'o.family_id', 'f.id')
    .select(['f.id', 'f.name', 'o.family_id as offered'])
    .where('f.workspace_id', '=', workspaceId)
    .where('f.archived_at', 'is', null)
    .where('f.deleted_at', 'is', null)
    .orderBy('f.name')
    .orderBy('f.id')
    .execute()
  return rows.map(({ id, name, offered }) => ({ id, name, isOffered: offered !== null }))
}

export type SettingsChange = {
  publicContactEmail?: string | null
  policy?: string | null
  acknowledgeDays?: number | null
  canonicalUrl?: string | null
  encryptionUrl?: string | null
  languages?: string[]
  embargoDays?: number
  families?: string[]
}

type Act = { workspaceId: string; actor: Actor; now: Date }

/** Saves what is named. Codes: `invalid_request`, every field at once. */
export async function changeDisclosureSettings(db: Db, act: Act, change: SettingsChange): Promise<void> {
  const { values, fields } = readChange(change)
  if (Object.keys(fields).length > 0) throw new ServiceError('invalid_request', { fields })
  if (namesNothing(change)) return
  const { workspaceId, actor, now } = act
  await transact(db, async (tx) => {
    // settings may have no row yet, so the workspace is what saves of them wait on
    const { company_name: name } = await tx
      .selectFrom('workspace')
      .select('company_name')
      .where('id', '=', workspaceId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const before = await selectStored(tx, workspaceId)
    const after = { ...before, ...values }
    if (change.families === undefined && isDeepStrictEqual(before, after)) return
    await tx
      .insertInto('disclosure_settings')
      .values({ workspace_id: workspaceId, ...after })
      .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(after))
      .execute()
    if (change.families !== undefined) await offerFamilies(tx, workspaceId, change.families)
    await recordAct(tx, {
      workspaceId,
      actor,
      at: now,
      action: 'disclosure.changed',
      object: { kind: 'disclosure_settings', id: workspaceId, name },
      before,
      after: change.families === undefined ? after : { ...after, families: change.families },
    })
  })
}

/** Codes: `invalid_request`. */
async function offerFamilies(tx: Tx, workspaceId: string, families: readonly string[]): Promise<void> {
  const ids = [...new Set(families)]
  await tx.deleteFrom('offered_family').where('workspace_id', '=', workspaceId).execute()
  if (ids.length === 0) return
  const known = await tx
    .selectFrom('family')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  if (known.length !== ids.length) {
    throw new ServiceError('invalid_request', { fields: { families: 'There is no such product family.' } })
  }
  await tx
    .insertInto('offered_family')
    .values(ids.map((id) => ({ workspace_id: workspaceId, family_id: id })))
    .execute()
}

type Read = { values: Partial<Stored>; fields: Record<string, string> }

function readChange(change: SettingsChange): Read {
  const read: Read = { values: {}, fields: {} }
  readTexts(change, read)
  readUrls(change, read)
  readLanguages(change, read)
  const { acknowledgeDays, embargoDays } = change
  if (acknowledgeDays !== undefined) read.values.acknowledge_days = acknowledgeDays
  if (typeof acknowledgeDays === 'number' && !isPromise(acknowledgeDays))
    read.fields['acknowledgeDays'] = `It must be one of ${promiseDays.join(', ')}, or none.`
  if (embargoDays === undefined) return read
  read.values.embargo_days = embargoDays
  if (!Number.isInteger(embargoDays) || embargoDays < 0 || embargoDays > maxEmbargoDays)
    read.fields['embargoDays'] = `It must be a number of days from 0 to ${maxEmbargoDays}.`
  return read
}

function readTexts(change: SettingsChange, { values, fields }: Read): void {
  const email = emptied(change.publicContactEmail)
  if (email !== undefined) values.public_contact_email = email
  const wrongEmail = typeof email === 'string' ? emailProblem(email) : undefined
  if (wrongEmail !== undefined) fields['publicContactEmail'] = wrongEmail
  const policy = emptied(change.policy)
  if (policy !== undefined) values.policy = policy === null ? null : withoutHidden(plainText(policy))
  const problem = textProblem(policy ?? '', { min: 0, max: policyCharacters })
  if (problem !== undefined) fields['policy'] = problem
}

/** In the given order: the first is the default. */
function readLanguages({ languages }: SettingsChange, { values, fields }: Read): void {
  if (languages === undefined) return
  const known = languages.flatMap((name) => publicLanguages.filter((language) => language === name))
  values.languages = [...new Set(known)]
  if (known.length === 0 || known.length !== languages.length)
    fields['languages'] = 'Choose at least one of the languages of the form.'
}

function readUrls(change: SettingsChange, { values, fields }: Read): void {
  const canonical = emptied(change.canonicalUrl)
  if (canonical !== undefined) values.canonical_url = asUri(canonical)
  if (typeof canonical === 'string' && !isAddress(canonical, ['https:']))
    fields['canonicalUrl'] = 'It must be a full address that begins with https://.'
  const encryption = emptied(change.encryptionUrl)
  if (encryption !== undefined) values.encryption_url = asUri(encryption)
  if (typeof encryption === 'string' && !isAddress(encryption, ['https:', 'dns:', 'openpgp4fpr:']))
    fields['encryptionUrl'] = 'It must begin with https://, dns: or openpgp4fpr:.'
}

function emptied(text: string | null | undefined): string | null | undefined {
  if (typeof text !== 'string') return text
  return text.trim() === '' ? null : text.trim()
}

function isPromise(days: number): boolean {
  return (promiseDays as readonly number[]).includes(days)
}

/** As security.txt must name it (RFC 9116, 2.5): browsers take characters that a URI may not have. */
function asUri(text: string | null): string | null {
  return text === null ? null : (documentUrl(text) ?? text)
}

/** It goes into a line of security.txt and into documents: nothing that ends a line, no credentials. */
function isAddress(text: string, protocols: readonly string[]): boolean {
  if ([...text].length > urlCharacters || /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u.test(text)) return false
  const url = URL.parse(text)
  if (url === null || !protocols.includes(url.protocol) || url.username !== '' || url.password !== '')
    return false
  if (url.protocol !== 'https:') return /^[!-~]+$/.test(text)
  return text.startsWith('https://') && url.hostname.includes('.')
}
