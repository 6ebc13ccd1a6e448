import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { UploadSource } from '../../src/contract/sbom.ts'
import type { VexDocument, VexStatement, VexTarget } from '../../src/contract/vex.ts'
import type { Db } from '../../src/database/connection.ts'
import type { Verdict } from '../../src/contract/vex.ts'
import { refreshFamilyFindings } from '../../src/matching/refresh-findings.ts'
import { documentRows } from '../../src/vex/document-rows.ts'
import { insertDocument } from '../../src/vex/insert-document.ts'
import { replaceDocuments } from '../../src/vex/queries.ts'
import { createFamilyToken } from '../support/company.ts'
import { start, type Family } from '../matching/scene.ts'

export type Said = Partial<VexStatement> & { targets?: VexTarget[] }

export type SentDocument = {
  statements: readonly Said[]
  findings?: readonly Said[]
  versionId?: string | null
  sbomId?: string | null
  source?: UploadSource
  now?: Date
  author?: string
}

export function statement(said: Said): VexStatement {
  return { pointer: '/0', vulnerabilityIds: [], targets: [], productLabel: 'something', ...said }
}

/** Stores a document as an upload does, in the place of its source and version; answers its id. */
export async function sendDocument(db: Db, family: Family, sent: SentDocument): Promise<string> {
  const { versionId = null, sbomId = null, source = 'api', now = start } = sent
  const document: VexDocument = {
    format: 'openvex',
    formatLabel: 'OpenVEX 0.2.0',
    ...(sent.author === undefined ? {} : { author: sent.author }),
    statements: sent.statements.map(statement),
    findings: (sent.findings ?? []).map(statement),
    unbound: 0,
    hints: [],
  }
  const id = randomUUID()
  const token = await createFamilyToken(db, { ...family, slug: '' })
  await db.transaction().execute(async (tx) => {
    if (sbomId === null) await replaceDocuments(tx, { ...family, versionId, source }, { by: id, at: now })
    await insertDocument(tx, {
      id,
      sender: { ...family, tokenId: token.id, name: 'ci' },
      source,
      now,
      versionId,
      sbomId,
      sha256: createHash('sha256').update(id).digest(),
      sizeBytes: 2,
      raw: sbomId === null ? { bytes: Buffer.from('{}'), encoding: 'identity' } : null,
      document,
      rows: documentRows(document),
    })
  })
  return id
}

/** Sends a document and works out the family's findings. */
export async function applyDocument(db: Db, family: Family, sent: SentDocument): Promise<string> {
  const id = await sendDocument(db, family, sent)
  await refreshFamilyFindings(db, { ...family, now: sent.now ?? start })
  return id
}

export type FoundVerdict = {
  version: string | null
  component: string
  title: string
  verdict: Verdict | null
  source: 'decision' | 'document' | null
}

/** The verdicts of a family's open findings, in a stable order. */
export async function verdictsOf(db: Db, { familyId }: Family): Promise<FoundVerdict[]> {
  const { rows } = await sql<FoundVerdict>`
    select p.name as version, i.subject || ' ' || i.version as component, g.title_id as title, f.verdict,
      case when f.verdict_decision_id is not null then 'decision' when f.verdict is not null then 'document' end as source
    from finding f
    join component_identity i on i.id = f.identity_id
    join vulnerability_group g on g.id = f.group_id
    left join product_version p on p.id = f.version_id
    where f.family_id = ${familyId} and f.closed_at is null
    order by p.name nulls first, 2, 3`.execute(db)
  return rows
}

/** An owner of the workspace, who may decide. */
export async function addMember(db: Db, workspaceId: string, name = 'Olga'): Promise<string> {
  const id = randomUUID()
  await db
    .insertInto('person')
    .values({ id, email: `${id}@example.com`, name, password_hash: null, created_at: start })
    .execute()
  await db
    .insertInto('member')
    .values({ workspace_id: workspaceId, person_id: id, role: 'owner', created_at: start, removed_at: null })
    .execute()
  return id
}

/** A version 4 UUID of a BOM-Link's serial number. */
export const serialNumber = '3e671687-395b-41f5-a30f-a58921a69b79'
