import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Role } from '../../src/contract/roles.ts'
import type { Db } from '../../src/database/connection.ts'
import { testNow } from './clock.ts'
import { addIdentity, uuidOf, type Part } from './parts.ts'

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

/** What no test tells apart. */
const anyUpload = {
  status: 'parsed',
  active: true,
  replaced_by: null,
  format: 'cyclonedx',
  spec_version: '1.6',
  document_name: null,
  document_id: null,
  document_created_at: null,
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
  raw_encoding: 'identity',
  matched_at: null,
  failure: null,
} as const

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
      ...anyUpload,
      tools,
      raw: Buffer.from('{}'),
      component_count: numbers.length,
      component_numbers: [...new Set(numbers)].sort((a, b) => a - b),
      owner_numbers: owners.map(([owner]) => numbers[owner] ?? 0),
      owned_numbers: owners.map(([, owned]) => numbers[owned] ?? 0),
      received_at: now,
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
