import { randomUUID } from 'node:crypto'
import { identifyAgain } from '../../src/sbom/components/identify-again.ts'
import { addIdentity } from '../support/parts.ts'
import type { RetentionScene, Uploading } from './retention-scene.ts'

/** As after an update that identifies the component `exploited` of an SBOM as another one: what was noted names the earlier identity. */
export async function identifiedOtherwise(
  scene: RetentionScene,
  family: Uploading,
  sbomId: string,
): Promise<void> {
  const { db } = scene
  const earlier = await addIdentity(db, {
    ecosystem: 'npm',
    name: 'as-earlier',
    version: '1.0.0',
    scheme: 'semver',
  })
  const ofFamily = { identity_id: earlier }
  await db
    .updateTable('component')
    .set({ ...ofFamily, hash: randomUUID() })
    .where('family_id', '=', family.familyId)
    .where('name', '=', 'exploited')
    .execute()
  await db.updateTable('incident_affected').set(ofFamily).where('family_id', '=', family.familyId).execute()
  await db.updateTable('dismissed_match').set(ofFamily).where('family_id', '=', family.familyId).execute()
  await db.updateTable('finding').set(ofFamily).where('family_id', '=', family.familyId).execute()
  await db.updateTable('sbom').set({ identity_generation: 0 }).where('id', '=', sbomId).execute()
  const { raw, raw_encoding: encoding } = await db
    .selectFrom('sbom')
    .select(['raw', 'raw_encoding'])
    .where('id', '=', sbomId)
    .executeTakeFirstOrThrow()
  const { workspaceId, familyId } = family
  await identifyAgain(db, { workspaceId, familyId, sbomId, encoding }, raw ?? Buffer.alloc(0), {
    maxFileBytes: 1_000_000,
    clock: () => scene.now,
  })
}
