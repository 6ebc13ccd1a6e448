import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Role } from '../../src/contract/roles.ts'
import type { Db } from '../../src/database/connection.ts'
import { keyGeneration, versionKey, type VersionScheme } from '../../src/versions/ordering.ts'
import { insertOfIdentities } from '../../src/sbom/components/component-queries.ts'
import type { IdentifiedRow } from '../../src/sbom/components/component-rows.ts'
import { writeIdentities } from '../../src/sbom/components/write-identities.ts'
import { testNow } from './clock.ts'

export const packageKeyOf = (ecosystem: string, name: string) => `${ecosystem}\u001f${name}`

export type Family = { workspaceId: string; familyId: string }

export async function addWorkspace(db: Db, slug: string): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('workspace')
    .values({
      id,
      slug,
      company_name: slug,
      security_contact_email: `security@${slug}.example`,
      plan: 'core',
      trial_ends_at: null,
      paid_until: null,
      closed_at: null,
      created_at: testNow,
    })
    .execute()
  return id
}

export async function addFamily(db: Db, workspaceId: string, name: string): Promise<Family> {
  const familyId = randomUUID()
  await db
    .insertInto('family')
    .values({
      id: familyId,
      workspace_id: workspaceId,
      name,
      current_version_id: null,
      created_at: testNow,
      archived_at: null,
      deleted_at: null,
    })
    .execute()
  return { workspaceId, familyId }
}

export async function addVersion(db: Db, { workspaceId, familyId }: Family, name: string): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('product_version')
    .values({
      id,
      workspace_id: workspaceId,
      family_id: familyId,
      name,
      created_at: testNow,
      retired_at: null,
    })
    .execute()
  return id
}

/** A member of the workspace: an owner, unless another role is given. */
export async function addMember(
  db: Db,
  workspaceId: string,
  { name = 'Olga', role = 'owner' }: { name?: string; role?: Role } = {},
): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('person')
    .values({ id, email: `${id}@example.com`, name, password_hash: null, created_at: testNow })
    .execute()
  await db
    .insertInto('member')
    .values({
      workspace_id: workspaceId,
      person_id: id,
      role,
      created_at: testNow,
      removed_at: null,
    })
    .execute()
  return id
}

export type Part = {
  ecosystem: string | null
  name: string
  version: string
  scheme: VersionScheme | null
  release?: string | null
  stream?: string
  decidability?: 'covered' | 'not_covered' | 'no_version' | 'uncomparable' | 'release_unknown'
  basis?: 'purl' | 'foreign_purl' | 'cpe' | 'guessed_cpe' | 'name'
  hashes?: string[]
}

export const npm = (name: string, version: string, more: Partial<Part> = {}): Part => ({
  ecosystem: 'npm',
  name,
  version,
  scheme: 'semver',
  ...more,
})

export const maven = (name: string, version: string): Part => ({
  ecosystem: 'Maven',
  name,
  version,
  scheme: 'maven',
})

export const debian = (name: string, version: string, release: string | null): Part => ({
  ecosystem: 'Debian',
  name,
  version,
  scheme: 'dpkg',
  release,
  decidability: release === null ? 'release_unknown' : 'covered',
})

/** Identified only by a CPE of its vendor. */
export const byCpe = (name: string, version: string): Part => ({
  ecosystem: 'cpe',
  name,
  version,
  scheme: 'generic',
  basis: 'cpe',
})

export const rpm = (name: string, version: string, stream: string): Part => ({
  ecosystem: 'Red Hat',
  name,
  version,
  scheme: 'rpm',
  release: '8',
  stream,
})

export async function addIdentity(db: Db, part: Part): Promise<string> {
  const values = {
    id: uuidOf(JSON.stringify(part)),
    ecosystem: part.ecosystem,
    package_key: part.ecosystem === null ? null : packageKeyOf(part.ecosystem, part.name),
    subject: part.name,
    version: part.version,
    release: part.release === undefined ? '' : part.release,
    stream: part.stream ?? '',
    scheme: part.scheme,
    version_key: keyOf(part.scheme, part.version),
    key_generation: keyGeneration,
    decidability: part.decidability ?? 'covered',
    reason: null,
    basis: part.basis ?? 'purl',
    created_at: testNow,
    matched_at: null,
  } as const
  await db
    .insertInto('component_identity')
    .values(values)
    .onConflict((c) => c.column('id').doNothing())
    .execute()
  return values.id
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

export function keyOf(scheme: VersionScheme | null, version: string): Buffer | null {
  const key = scheme === null ? null : versionKey(scheme, version)
  return key === null ? null : Buffer.from(key)
}

type SbomFacts = {
  versionId?: string | null
  parts: readonly Part[]
  tools?: string[]
  /** Pairs of indexes into the parts: the first owns the second. */
  owners?: readonly (readonly [number, number])[]
  now?: Date
}

type Judged = { decidability: string; ecosystem: string; components: number }

/** Stores how many components of an SBOM could be checked, as the inventory does. */
export async function addCoverage(
  db: Db,
  { workspaceId, sbomId }: { workspaceId: string; sbomId: string },
  judged: readonly Judged[],
): Promise<void> {
  const coverage = JSON.stringify(judged.map((one) => ({ ...one, reason: null })))
  await db
    .insertInto('sbom_inventory')
    .values({ sbom_id: sbomId, workspace_id: workspaceId, numbers: '{}', coverage })
    .execute()
}

/** Stores an SBOM as the active one of its slot, as an upload does; returns its id. */
export async function addSbom(
  db: Db,
  family: Family,
  { versionId = null, parts, tools = [], owners = [], now = testNow }: SbomFacts,
): Promise<string> {
  const numbers: number[] = []
  for (const part of parts) numbers.push(await addComponent(db, family, part))
  await db
    .updateTable('sbom')
    .set({ active: false })
    .where('family_id', '=', family.familyId)
    .where('version_id', versionId === null ? 'is' : '=', versionId)
    .execute()
  const id = randomUUID()
  await db
    .insertInto('sbom')
    .values({
      id,
      workspace_id: family.workspaceId,
      family_id: family.familyId,
      version_id: versionId,
      sha256: createHash('sha256').update(id).digest(),
      status: 'parsed',
      active: true,
      replaced_by: null,
      format: 'cyclonedx',
      spec_version: '1.6',
      document_name: null,
      document_id: null,
      document_created_at: null,
      tools,
      operating_system: null,
      main_component: null,
      hints: '[]',
      vulnerability_entries: 0,
      source: 'api',
      sent_by: 'test',
      token_id: null,
      commit_id: null,
      branch: null,
      repository: null,
      run_url: null,
      size_bytes: 1,
      raw: Buffer.from('{}'),
      raw_encoding: 'identity',
      component_count: numbers.length,
      component_numbers: [...new Set(numbers)].sort((a, b) => a - b),
      owner_numbers: owners.map(([owner]) => numbers[owner] ?? 0),
      owned_numbers: owners.map(([, owned]) => numbers[owned] ?? 0),
      received_at: now,
      matched_at: null,
      failure: null,
    })
    .execute()
  return id
}

async function addComponent(db: Db, { workspaceId, familyId }: Family, part: Part): Promise<number> {
  const identityId = await addIdentity(db, part)
  const hash = uuidOf(`component ${JSON.stringify(part)}`)
  const known = await db
    .selectFrom('component')
    .select('number')
    .where('family_id', '=', familyId)
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (known !== undefined) return known.number
  const { number } = await db
    .updateTable('family')
    .set((set) => ({ next_component_number: set('next_component_number', '+', 1) }))
    .where('id', '=', familyId)
    .returning(sql<number>`next_component_number - 1`.as('number'))
    .executeTakeFirstOrThrow()
  await db
    .insertInto('component')
    .values({
      workspace_id: workspaceId,
      family_id: familyId,
      number,
      hash,
      identity_id: identityId,
      type: 'library',
      group_name: null,
      name: part.name,
      version: part.version === '' ? null : part.version,
      purl: `pkg:${part.ecosystem?.toLowerCase() ?? 'generic'}/${part.name}@${part.version}`,
      cpe: null,
      licence: null,
      supplier: null,
      hashes: part.hashes ?? [],
    })
    .execute()
  return number
}

/** Lists component `number` of an SBOM a second time, as number `copy`. */
export async function addCopy(
  db: Db,
  { familyId }: Family,
  { sbomId, number, copy }: { sbomId: string; number: number; copy: number },
): Promise<void> {
  await sql`
    insert into component
    select workspace_id, family_id, ${copy}::int, gen_random_uuid(), identity_id, type, group_name, name, version, purl, cpe, licence,
      supplier, hashes
    from component where family_id = ${familyId} and number = ${number}`.execute(db)
  await sql`update sbom set component_numbers = component_numbers || ${copy}::int where id = ${sbomId}`.execute(
    db,
  )
}

export type FoundFinding = {
  component: string
  title: string
  grade: 'exact' | 'possible'
  exploitedBy: string[]
}

/** The open findings of a family, in a stable order. */
export async function openFindings(db: Db, { familyId }: Family): Promise<FoundFinding[]> {
  const { rows } = await sql<FoundFinding>`
    select i.subject || ' ' || i.version as component, g.title_id as title, f.grade, f.exploited_by as "exploitedBy"
    from finding f
    join component_identity i on i.id = f.identity_id
    join vulnerability_group g on g.id = f.group_id
    where f.family_id = ${familyId} and f.closed_at is null
    order by 1, 2`.execute(db)
  return rows
}

/** Writes identities as an upload and its job would. */
export async function storeIdentities(db: Db, rows: readonly IdentifiedRow[]): Promise<void> {
  const family = { workspaceId: uuidOf('workspace of nobody'), familyId: uuidOf('family of nobody') }
  await db
    .transaction()
    .execute((tx) =>
      insertOfIdentities(tx, { ...family, sbomId: uuidOf('sbom of nobody') }, { place: 0, rows }).execute(),
    )
  await writeIdentities(db, { ...family, now: testNow })
}
