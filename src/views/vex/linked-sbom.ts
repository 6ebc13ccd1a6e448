import { sql } from 'kysely'
import { selectOriginal } from '../../sbom/select-sbom.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import type { Originals } from '../../originals/originals.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/** `bom` is what a BOM-Link into it begins with: `urn:cdx:<serial>/<version>`. */
export type LinkedSbom = { bom: string; raw: Buffer; encoding: string }

/**
 * The one SBOM that an export speaks of, with its bytes: that of the version, or of a family that has only one. Codes: `invalid_request` when there
 * are several, or nothing can link into it; `not_configured` when it cannot be read now.
 */
export async function selectLinkedSbom(
  { db, originals }: { db: Db; originals: Originals },
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
      'Nothing can link into the SBOM of this version: it is not a CycloneDX document with a serial number.'
    throw new ServiceError('invalid_request', { fields: { form } })
  }
  const { raw, encoding } = await selectOriginal({ db, originals }, workspaceId, sbom.id)
  return { bom: sbom.bom, raw, encoding }
}
