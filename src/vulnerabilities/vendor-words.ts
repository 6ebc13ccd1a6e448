import { sql } from 'kysely'
import { vendorStatuses } from '../contract/vulnerabilities/vendor-statuses.ts'
import { shownVendorStatements, type VendorStatement } from '../contract/vulnerabilities/vendor-words.ts'
import type { Db } from '../database/connection.ts'
import { sourceNames } from '../identities/distributions/source-names.ts'
import { upstreamOf } from '../identities/distributions/source-package.ts'
import { unknownModule } from '../identities/distributions/streams.ts'
import { parsePurl } from '../formats/purl/purl.ts'
import type { RedHatStatement, StoredRedHatVex } from '../records/red-hat-word.ts'
import { selectRedHatVex } from '../vulndata/reads/red-hat-vex.ts'
import { packageNameOf } from './evidence/package-name.ts'

/** A component of a workspace: its identity, and the purls by which its SBOMs name it. */
export type WordedComponent = {
  identityId: string
  ecosystem: string | null
  package_key: string | null
  release: string | null
  stream: string
  purls: readonly (string | null)[]
}

/** More CVEs than any vulnerability is about but a notice on a kernel. */
const maxCves = 200

/**
 * What Red Hat says of CVEs for components that are packages of its system, in their release and stream, and of no others. Red Hat names the source of
 * what is not fixed, so a component is also looked for under the source that its purl
 * or its SBOM names.
 */
export async function selectVendorStatements(
  db: Db,
  { cves, components }: { cves: readonly string[]; components: readonly WordedComponent[] },
): Promise<VendorStatement[]> {
  const sourcesOf = await selectSources(db, components)
  const packages = components.flatMap((component) => packageOf(component, sourcesOf(component)))
  if (packages.length === 0) return []
  const found = new Map<string, VendorStatement>()
  for (const vex of await selectRedHatVex(db, cves.slice(0, maxCves)))
    for (const each of vex.statements)
      for (const statement of fitting(vex, each, packages)) found.set(JSON.stringify(statement), statement)
  return [...found.values()].sort(inOrder).slice(0, shownVendorStatements)
}

/** The CVEs that records affecting an identity are about. */
export async function selectCvesOfGroup(db: Db, groupId: number): Promise<string[]> {
  const { rows } = await sql<{ cve: string }>`
    select distinct a.other_id as cve
    from vulnerability v
    join alias_assertion a on a.vulnerability_id = v.id and a.relation in ('self', 'alias', 'upstream')
    where v.group_id = ${groupId} and v.withdrawn_at is null and a.other_id like 'CVE-%'
    order by cve
    limit ${maxCves}`.execute(db)
  return rows.map(({ cve }) => cve)
}

type Package = { names: ReadonlySet<string>; release: string; stream: string }

/** The sources that SBOMs state beside the purls of components (`sourceNames`); index identity_key_pkey. */
async function selectSources(
  db: Db,
  components: readonly WordedComponent[],
): Promise<(component: WordedComponent) => string[]> {
  const ids = components.filter(({ ecosystem }) => ecosystem === 'Red Hat').map((each) => each.identityId)
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('identity_key')
          .select(['identity_id', 'package_key'])
          .where('identity_id', '=', sql<string>`any(${ids}::uuid[])`)
          .where('ecosystem', '=', sourceNames)
          .execute()
  const found = Map.groupBy(rows, (row) => row.identity_id)
  return ({ identityId }) =>
    (found.get(identityId) ?? []).flatMap(({ package_key }) => packageNameOf(package_key) ?? [])
}

function packageOf(
  { ecosystem, package_key, release, stream, purls }: WordedComponent,
  stated: readonly string[],
): Package[] {
  const name = packageNameOf(package_key)
  if (ecosystem !== 'Red Hat' || name === null || release === null) return []
  const sources = purls.flatMap((text) => {
    const purl = parsePurl(text ?? '')
    return purl === undefined ? [] : (upstreamOf(purl)?.name ?? [])
  })
  return [{ names: new Set([name, ...sources, ...stated]), release, stream }]
}

function fitting(
  { cve, stated }: StoredRedHatVex,
  statement: RedHatStatement,
  packages: readonly Package[],
): VendorStatement[] {
  const { label, status, justification, remedy, fixedIn, advisory, impact } = statement
  const about = packages.filter((each) => isAbout(statement, each))
  const named = statement.packages.filter((name) => about.some(({ names }) => names.has(name)))
  const told = { status, justification, remedy, fixedIn, advisory, impact }
  return named.map((packageName) => ({
    cve,
    vendor: 'Red Hat',
    product: label,
    packageName,
    ...told,
    statedAt: stated,
    address: `https://access.redhat.com/security/cve/${cve}`,
  }))
}

/** Of a module only what is said of its stream; of a release with fixes of its own only to components that are of it. */
function isAbout({ release, minor, module }: RedHatStatement, own: Package): boolean {
  if (release !== own.release) return false
  if (own.stream === unknownModule) return minor === null && module !== null
  if (module !== null || own.stream.includes(':')) return module === own.stream
  return minor === null ? own.stream === '' : own.stream === `el${minor.replace('.', '_')}`
}

function inOrder(a: VendorStatement, b: VendorStatement): number {
  const place = ({ status }: VendorStatement) => vendorStatuses.indexOf(status)
  return (
    a.cve.localeCompare(b.cve, 'en', { numeric: true }) ||
    place(a) - place(b) ||
    a.packageName.localeCompare(b.packageName, 'en') ||
    a.product.localeCompare(b.product, 'en')
  )
}
