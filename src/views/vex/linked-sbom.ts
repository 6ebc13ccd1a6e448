import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/** `bom` is what a BOM-Link into it begins with: `urn:cdx:<serial>/<version>`. */
export type LinkedSbom = { bom: string; raw: Buffer; encoding: string }

/**
 * The one SBOM that an export speaks of, with its bytes: that of the version, or of a family that has only one. Codes: `invalid_request` when there
 * are several, or nothing can link into it.
 */
export async function selectLinkedSbom(
  db: Db,
  { workspaceId, familyId, versionId }: FamilyKey & { versionId: string | null },
): Promise<LinkedSbom> {
  const { rows } = await sql<{ id: string; bom: string | null }>`
    select s.id, case when s.format = 'cyclonedx' then s.document_id end as bom
    from sbom s
    where s.workspace_id = ${workspaceId} and s.family_id = ${familyId} and s.active
      and ${versionId === null ? sql`true` : sql`s.version_id = ${versionId}`}
    limit 2`.execute(db)
  const [sbom] = rows
  if (sbom === undefined || rows.length > 1) {
    const version = 'A BOM-Link points into one SBOM. Choose one version.'
    throw new ServiceError('invalid_request', { fields: { version } })
  }
  if (sbom.bom?.startsWith('urn:cdx:') !== true) {
    const form =
      'Nothing can link into the SBOM of this version: it is no CycloneDX document with a serial number.'
    throw new ServiceError('invalid_request', { fields: { form } })
  }
  const { raw, raw_encoding: encoding } = await db
    .selectFrom('sbom')
    .select(['raw', 'raw_encoding'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sbom.id)
    .executeTakeFirstOrThrow()
  return { bom: sbom.bom, raw, encoding }
}
