import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'

/** Whose feed it is now: what is written into new documents and into the provider metadata. */
export type Publisher = {
  workspaceId: string
  slug: string
  companyName: string
  /** Where vulnerabilities are reported: the public contact of the disclosure settings, else the company's own. */
  contactEmail: string
  /** The Canonical URL of the disclosure settings. */
  canonicalUrl: string | null
  createdAt: Date
}

/** Of a workspace `w` and its disclosure settings `d`. */
export const publisherColumns = [
  'w.id',
  'w.slug',
  'w.company_name',
  'w.security_contact_email',
  'w.created_at',
  'd.public_contact_email',
  'd.canonical_url',
] as const

type PublisherRow = {
  id: string
  slug: string
  company_name: string
  security_contact_email: string
  created_at: Date
  public_contact_email: string | null
  canonical_url: string | null
}

export function toPublisher(row: PublisherRow): Publisher {
  return {
    workspaceId: row.id,
    slug: row.slug,
    companyName: row.company_name,
    contactEmail: row.public_contact_email ?? row.security_contact_email,
    canonicalUrl: row.canonical_url,
    createdAt: row.created_at,
  }
}

/** What a workspace publishes as, in whatever state it is. Codes: `not_found`. */
export async function publisherOf(db: Db, workspaceId: string): Promise<Publisher> {
  const row = await db
    .selectFrom('workspace as w')
    .leftJoin('disclosure_settings as d', 'd.workspace_id', 'w.id')
    .select(publisherColumns)
    .where('w.id', '=', workspaceId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return toPublisher(row)
}

/** The origin of the Canonical URL, else the address of the feed (docs/public-api.md, "Public CSAF feed"). */
export function namespaceOf({ canonicalUrl, slug }: Publisher, baseUrl: string): string {
  const origin = canonicalUrl === null ? null : URL.parse(canonicalUrl)?.origin
  return origin ?? feedAddress(slug, baseUrl)
}

/** Whom readers can write to. */
export function contactDetails({ companyName, contactEmail }: Publisher): string {
  return `Report vulnerabilities to the security contact of ${companyName}: ${contactEmail}`
}

/** Without trailing slash. `baseUrl`: of the service. */
export function feedAddress(slug: string, baseUrl: string): string {
  return `${baseUrl}/csaf/${slug}`
}
