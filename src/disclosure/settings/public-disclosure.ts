import { publicLanguages, type PublicLanguage } from '../../contract/disclosure/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { ServiceError } from '../../contract/errors.ts'
import { effectiveState, stateColumnsOfW } from '../../workspace/state.ts'

/** What the public pages of a workspace say. */
export type PublicDisclosure = {
  workspaceId: string
  slug: string
  companyName: string
  /** Where reports can be mailed: the public contact, else the company's own. */
  contactEmail: string
  canonicalUrl: string | null
  /** Within which a report is answered; null: nothing is promised. */
  promiseDays: number | null
  /** In the company's words; null: the fixed ones. */
  policy: string | null
  encryptionUrl: string | null
  /** At least one; the first where the browser asks for none of them. */
  languages: readonly PublicLanguage[]
  embargoDays: number
  /** Then only what was published stays (docs/disclosure.md). */
  isClosed: boolean
}

/** Where the settings were never saved. */
export const defaultSettings = { promiseDays: 3, languages: publicLanguages, embargoDays: 90 } as const

/** Undefined: there is no such workspace here. */
export async function selectPublicDisclosure(
  db: Db,
  slug: string,
  now: Date,
): Promise<PublicDisclosure | undefined> {
  const row = await db
    .selectFrom('workspace as w')
    .leftJoin('disclosure_settings as d', 'd.workspace_id', 'w.id')
    .select([
      'w.id',
      'w.slug',
      'w.company_name',
      'w.security_contact_email',
      ...stateColumnsOfW,
      'd.workspace_id as saved',
      'd.public_contact_email',
      'd.canonical_url',
      'd.acknowledge_days',
      'd.policy',
      'd.encryption_url',
      'd.languages',
      'd.embargo_days',
    ])
    .where('w.slug', '=', slug)
    .where('w.moved_to', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    workspaceId: row.id,
    slug: row.slug,
    companyName: row.company_name,
    contactEmail: row.public_contact_email ?? row.security_contact_email,
    canonicalUrl: row.canonical_url,
    promiseDays: row.saved === null ? defaultSettings.promiseDays : row.acknowledge_days,
    policy: row.policy,
    encryptionUrl: row.encryption_url,
    languages: knownLanguages(row.languages ?? defaultSettings.languages),
    embargoDays: row.embargo_days ?? defaultSettings.embargoDays,
    isClosed: effectiveState(row, now) === 'closed',
  }
}

/** The same of a workspace that is known. Codes: `not_found`. */
export async function selectDisclosureOf(db: Db, slug: string, now: Date): Promise<PublicDisclosure> {
  const found = await selectPublicDisclosure(db, slug, now)
  if (found === undefined) throw new ServiceError('not_found')
  return found
}

function knownLanguages(languages: readonly PublicLanguage[]): readonly PublicLanguage[] {
  return languages.length === 0 ? ['en'] : languages
}

/** The families that the form offers, by name. */
export async function listOfferedFamilies(
  db: Db,
  workspaceId: string,
): Promise<{ id: string; name: string }[]> {
  return db
    .selectFrom('offered_family as o')
    .innerJoin('family as f', 'f.id', 'o.family_id')
    .select(['f.id', 'f.name'])
    .where('o.workspace_id', '=', workspaceId)
    .where('f.archived_at', 'is', null)
    .where('f.deleted_at', 'is', null)
    .orderBy('f.name')
    .orderBy('f.id')
    .execute()
}

export type PublicUrls = {
  policy: string
  acknowledgments: string
  securityTxt: string
  wellKnownSecurityTxt: string
}

/** `baseUrl`: of the service, without trailing slash. */
export function publicUrls(slug: string, baseUrl: string): PublicUrls {
  const policy = `${baseUrl}/disclose/${slug}`
  return {
    policy,
    acknowledgments: `${policy}/acknowledgments`,
    securityTxt: `${policy}/security.txt`,
    wellKnownSecurityTxt: `${policy}/.well-known/security.txt`,
  }
}
