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

/** The workspace of a slug in whatever state: feeds stay while it is read-only or closed. Undefined: there is none. */
export async function selectPublisher(db: Db, slug: string): Promise<Publisher | undefined> {
  const row = await db
    .selectFrom('workspace as w')
    .leftJoin('disclosure_settings as d', 'd.workspace_id', 'w.id')
    .select([
      'w.id',
      'w.slug',
      'w.company_name',
      'w.security_contact_email',
      'w.created_at',
      'd.public_contact_email',
      'd.canonical_url',
    ])
    .where('w.slug', '=', slug)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    workspaceId: row.id,
    slug: row.slug,
    companyName: row.company_name,
    contactEmail: row.public_contact_email ?? row.security_contact_email,
    canonicalUrl: row.canonical_url,
    createdAt: row.created_at,
  }
}

/** The origin of the Canonical URL, else the address of the feed (docs/public-api.md, "Public CSAF feed"). */
export function namespaceOf({ canonicalUrl, slug }: Publisher, baseUrl: string): string {
  const origin = canonicalUrl === null ? null : URL.parse(canonicalUrl)?.origin
  return origin ?? feedAddress(slug, baseUrl)
}

/** Without trailing slash. `baseUrl`: of the service. */
export function feedAddress(slug: string, baseUrl: string): string {
  return `${baseUrl}/csaf/${slug}`
}
