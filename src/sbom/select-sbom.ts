import { sql } from 'kysely'
import type { SbomDetail, SbomReference } from '../contract/sbom/rows.ts'
import type { Originals } from '../originals/originals.ts'
import { ServiceError } from '../contract/errors.ts'
import type { Db } from '../database/connection.ts'
import { sbomRows, toSbomRow } from './sbom-row.ts'
import type { ContentEncoding } from '../contract/encodings.ts'
import type { SbomFormat } from '../contract/sbom/shapes.ts'
import { productName } from '../products/families/product-name.ts'

/** Everything an SBOM's page shows except what matching adds. */
export type StoredSbomDetail = Omit<SbomDetail, 'coverage' | 'leftToDistribution' | 'findings' | 'grades'>

/** What the audit trail calls an SBOM. Codes: `not_found`. */
export async function nameOfSbom(db: Db, workspaceId: string, sbomId: string): Promise<string> {
  const known = await db
    .selectFrom('sbom as s')
    .innerJoin('family as f', 'f.id', 's.family_id')
    .leftJoin('product_version as v', 'v.id', 's.version_id')
    .select(['f.name as family', 'v.name as version'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.id', '=', sbomId)
    .executeTakeFirst()
  if (known === undefined) throw new ServiceError('not_found')
  return productName(known.family, known.version)
}

/** One SBOM of a workspace. Codes: `not_found`. */
export async function selectSbom(db: Db, workspaceId: string, sbomId: string): Promise<StoredSbomDetail> {
  const sbom = await sbomRows(db, workspaceId)
    .innerJoin('family as f', 'f.id', 's.family_id')
    .select([
      's.family_id',
      's.document_name',
      's.document_created_at',
      's.tools',
      's.operating_system',
      's.size_bytes',
      's.sha256',
      's.matched_at',
      's.failure',
      's.commit_id',
      's.branch',
      's.repository',
      's.run_url',
      's.hints',
      's.replaced_by',
      'v.created_at as version_created_at',
      'f.name as family_name',
      'f.archived_at',
    ])
    .where('s.id', '=', sbomId)
    .where('f.deleted_at', 'is', null)
    .executeTakeFirst()
  if (sbom === undefined) throw new ServiceError('not_found')
  const replaces = await selectReplaced(db, workspaceId, sbomId)
  return {
    ...toSbomRow(sbom),
    family: {
      id: sbom.family_id,
      name: sbom.family_name,
      archivedAt: sbom.archived_at?.toISOString() ?? null,
    },
    versionId: sbom.version_id,
    documentName: sbom.document_name,
    documentCreatedAt: sbom.document_created_at,
    tools: sbom.tools,
    operatingSystem: sbom.operating_system,
    sizeBytes: sbom.size_bytes,
    sha256: sbom.sha256.toString('hex'),
    matchedAt: sbom.matched_at?.toISOString() ?? null,
    failure: sbom.failure,
    pipeline: {
      commit: sbom.commit_id,
      branch: sbom.branch,
      repository: sbom.repository,
      runUrl: sbom.run_url,
    },
    replacedBy: sbom.replaced_by === null ? null : await selectReference(db, workspaceId, sbom.replaced_by),
    replaces,
    previous: (await selectPrevious(db, workspaceId, sbom)) ?? replaces,
    hints: sbom.hints,
  }
}

async function selectReference(db: Db, workspaceId: string, sbomId: string): Promise<SbomReference | null> {
  const row = await sbomRows(db, workspaceId).where('s.id', '=', sbomId).executeTakeFirst()
  return row === undefined ? null : toReference(row)
}

async function selectReplaced(db: Db, workspaceId: string, sbomId: string): Promise<SbomReference | null> {
  const row = await sbomRows(db, workspaceId)
    .where('s.replaced_by', '=', sbomId)
    .orderBy('s.received_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toReference(row)
}

type Placed = {
  family_id: string
  version_id: string | null
  version_created_at: Date | null
  received_at: Date
}

/** The active SBOM of the version that arrived before an SBOM's own; the slot without version is as old as its SBOM. */
async function selectPrevious(
  db: Db,
  workspaceId: string,
  { family_id, version_id, version_created_at, received_at }: Placed,
): Promise<SbomReference | null> {
  const arrived = sql<Date>`coalesce(v.created_at, s.received_at)`
  const row = await sbomRows(db, workspaceId)
    .where('s.family_id', '=', family_id)
    .where('s.active', '=', true)
    .where('v.retired_at', 'is', null)
    .where(sql<boolean>`s.version_id is distinct from ${version_id}::uuid`)
    .where(sql<boolean>`${arrived} < ${version_created_at ?? received_at}::timestamptz`)
    .orderBy(arrived, 'desc')
    .orderBy('s.received_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : toReference(row)
}

function toReference(row: { id: string; version: string | null; received_at: Date }): SbomReference {
  return { id: row.id, version: row.version, receivedAt: row.received_at.toISOString() }
}

/** The file as it was sent; callers decompress it if necessary. Codes: `not_found`, `not_configured` (it cannot be read now). */
export async function selectOriginal(
  { db, originals }: { db: Db; originals: Originals },
  workspaceId: string,
  sbomId: string,
): Promise<{ raw: Buffer; encoding: Exclude<ContentEncoding, 'zstd'>; format: SbomFormat }> {
  const sbom = await db
    .selectFrom('sbom')
    .select(['raw', 'object_id', 'raw_encoding', 'format'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbomId)
    .executeTakeFirst()
  if (sbom === undefined) throw new ServiceError('not_found')
  const raw = await originals.read(db, { workspaceId, bytes: sbom.raw, objectId: sbom.object_id })
  return { raw, encoding: sbom.raw_encoding, format: sbom.format }
}
