import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import type { ContentEncoding } from '../../contract/encodings.ts'
import { readOrNote, type Reading } from './read-original.ts'
import type { Tx } from '../../database/connection.ts'
import { removedSboms, toRemovedSbom } from '../../sbom/retention/list-removed.ts'
import { selectOriginal } from '../../sbom/select-sbom.ts'
import { selectOriginalDocument } from '../../vex/documents/list-documents.ts'
import { chunksOf } from '../../platform/postgres/columns.ts'
import { idsOf, listFiles, rowsAtOnce, type ExportFile, type Ids } from './export-file.ts'
import type { FamilyRow } from './families.ts'

const inflateGzip = promisify(gunzip)
const inflateZstd = promisify(zstdDecompress)

/** The SBOMs of all families: a list of them, and each file with the bytes that were sent. */
export async function* sbomFiles(
  reading: Reading,
  families: readonly FamilyRow[],
): AsyncGenerator<ExportFile> {
  const { tx, originals } = reading
  yield* listFiles('sboms', sbomPages(tx, families))
  for (const { id: familyId, workspaceId } of families) {
    for (const { id } of await selectSbomIds(tx, { workspaceId, familyId })) {
      const name = `sboms/${familyId}/${id}.json`
      const file = await readOrNote(reading, name, () =>
        selectOriginal({ db: tx, originals }, workspaceId, id),
      )
      if (file !== null) yield { name, bytes: await inflated(file.raw, file.encoding) }
    }
  }
}

/** What is left of SBOMs that were removed. */
export async function* removedSbomFiles(tx: Tx, families: readonly FamilyRow[]): AsyncGenerator<ExportFile> {
  yield* listFiles('removed-sboms', removedPages(tx, families))
}

/** The same of VEX documents. What an SBOM says itself is in its own file. */
export async function* vexFiles(
  reading: Reading,
  families: readonly FamilyRow[],
): AsyncGenerator<ExportFile> {
  const { tx, originals } = reading
  yield* listFiles('vex', vexPages(tx, families))
  for (const { id: familyId, workspaceId } of families) {
    const documents = await selectVexIds(tx, { workspaceId, familyId })
    for (const { id } of documents.filter(({ sbom_id }) => sbom_id === null)) {
      const name = `vex/${id}.json`
      const file = await readOrNote(reading, name, () =>
        selectOriginalDocument({ db: tx, originals }, workspaceId, id),
      )
      if (file !== null) yield { name, bytes: await inflated(file.raw, file.encoding) }
    }
  }
}

/** As large as an upload may be, at most (contract/limits.ts). */
async function inflated(raw: Buffer, encoding: ContentEncoding): Promise<Buffer> {
  switch (encoding) {
    case 'identity':
      return raw
    case 'gzip':
      return inflateGzip(raw)
    case 'zstd':
      return inflateZstd(raw)
  }
}

type FamilyKey = { workspaceId: string; familyId: string }

/** Index sbom_family. */
function selectSbomIds(tx: Tx, { workspaceId, familyId }: FamilyKey) {
  return tx
    .selectFrom('sbom')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
}

/** Index vex_document_family. */
function selectVexIds(tx: Tx, { workspaceId, familyId }: FamilyKey) {
  return tx
    .selectFrom('vex_document')
    .select(['id', 'sbom_id'])
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .orderBy('received_at')
    .orderBy('id')
    .execute()
}

async function* sbomPages(tx: Tx, families: readonly FamilyRow[]) {
  for (const { id: familyId, workspaceId } of families) {
    const ids = await selectSbomIds(tx, { workspaceId, familyId })
    for (const some of chunksOf(ids, rowsAtOnce)) yield await selectSbomRows(tx, workspaceId, some)
  }
}

async function selectSbomRows(tx: Tx, workspaceId: string, ids: Ids) {
  const rows = await tx
    .selectFrom('sbom as s')
    .leftJoin('product_version as v', 'v.id', 's.version_id')
    .select(['s.id', 's.family_id as familyId', 's.version_id as versionId', 'v.name as version'])
    .select([
      's.status',
      's.active',
      's.replaced_by as replacedBy',
      's.format',
      's.spec_version as specVersion',
    ])
    .select([
      's.document_name as documentName',
      's.document_id as documentId',
      's.tools',
      's.hints',
      's.source',
    ])
    .select(['s.document_created_at as documentCreatedAt', 's.main_component as mainComponent'])
    .select([
      's.sent_by as sentBy',
      's.commit_id as commit',
      's.branch',
      's.repository',
      's.run_url as runUrl',
    ])
    .select(['s.size_bytes as sizeBytes', 's.sha256', 's.component_count as components'])
    .select(['s.received_at as receivedAt', 's.matched_at as matchedAt', 's.failure'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.id', 'in', idsOf(ids))
    .orderBy('s.received_at')
    .orderBy('s.id')
    .execute()
  return rows.map(({ sha256, ...row }) => ({
    ...row,
    sha256: sha256.toString('hex'),
    file: `sboms/${row.familyId}/${row.id}.json`,
  }))
}

async function* removedPages(tx: Tx, families: readonly FamilyRow[]) {
  for (const { id: familyId, workspaceId } of families) {
    const rows = await removedSboms(tx, { workspaceId, familyId })
      .orderBy('r.removed_at')
      .orderBy('r.id')
      .execute()
    yield rows.map((row) => ({ familyId, ...toRemovedSbom(row) }))
  }
}

async function* vexPages(tx: Tx, families: readonly FamilyRow[]) {
  for (const { id: familyId, workspaceId } of families) {
    const ids = await selectVexIds(tx, { workspaceId, familyId })
    for (const some of chunksOf(ids, rowsAtOnce)) yield await selectVexRows(tx, workspaceId, some)
  }
}

async function selectVexRows(tx: Tx, workspaceId: string, ids: Ids) {
  const rows = await tx
    .selectFrom('vex_document as d')
    .leftJoin('product_version as v', 'v.id', 'd.version_id')
    .leftJoin('person as p', 'p.id', 'd.withdrawn_by')
    .select(['d.id', 'd.family_id as familyId', 'd.version_id as versionId', 'v.name as version'])
    .select([
      'd.sbom_id as sbomId',
      'd.format',
      'd.format_label as formatLabel',
      'd.document_id as documentId',
    ])
    .select(['d.author', 'd.document_time as documentTime', 'd.source', 'd.sent_by as sentBy', 'd.hints'])
    .select(['d.statement_count as statements', 'd.finding_count as findings', 'd.unbound_count as unbound'])
    .select(['d.size_bytes as sizeBytes', 'd.sha256', 'd.received_at as receivedAt'])
    .select(['d.replaced_by as replacedBy', 'd.replaced_at as replacedAt', 'd.withdrawn_at as withdrawnAt'])
    .select('p.name as withdrawnBy')
    .where('d.workspace_id', '=', workspaceId)
    .where('d.id', 'in', idsOf(ids))
    .orderBy('d.received_at')
    .orderBy('d.id')
    .execute()
  return rows.map(({ sha256, ...row }) => ({
    ...row,
    sha256: sha256.toString('hex'),
    file: row.sbomId === null ? `vex/${row.id}.json` : `sboms/${row.familyId}/${row.sbomId}.json`,
  }))
}
