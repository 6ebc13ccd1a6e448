import type { Db } from '../../database/connection.ts'

type CompanySignIn = {
  slug: string
  /** null: none is set. */
  issuer: string | null
  /** Members who came in another way are kept out, but for owners. */
  isRequired: boolean
  /** How many members an account of the issuer is linked to. */
  linked: number
  domains: { domain: string; verifiedAt: string | null }[]
}

/** Every workspace that has an issuer or a domain, or one of them. No secret. */
export async function listCompanySignIns(db: Db, slug?: string): Promise<CompanySignIn[]> {
  const rows = await db
    .selectFrom('workspace as w')
    .leftJoin('single_sign_on as s', 's.workspace_id', 'w.id')
    .select(['w.id', 'w.slug', 's.issuer', 'w.requires_single_sign_on as isRequired'])
    .select((row) =>
      row
        .selectFrom('company_link as l')
        .whereRef('l.workspace_id', '=', 'w.id')
        .select(({ fn }) => fn.countAll<number>().as('linked'))
        .as('linked'),
    )
    .$if(slug !== undefined, (query) => query.where('w.slug', '=', slug ?? ''))
    .orderBy('w.slug')
    .execute()
  const domains = Map.groupBy(
    await db
      .selectFrom('workspace_domain')
      .select(['workspace_id', 'domain', 'verified_at'])
      .orderBy('domain')
      .execute(),
    (row) => row.workspace_id,
  )
  return rows
    .map(({ id, linked, ...row }) => ({
      ...row,
      linked: linked ?? 0,
      domains: (domains.get(id) ?? []).map(({ domain, verified_at: at }) => ({
        domain,
        verifiedAt: at?.toISOString() ?? null,
      })),
    }))
    .filter((row) => slug !== undefined || row.issuer !== null || row.domains.length > 0)
}
