import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../contract/errors.ts'
import type { SbomStatus } from '../contract/sbom/shapes.ts'
import type { Db } from '../database/connection.ts'
import type { StoredSbom } from './receipt.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'

type SbomKey = FamilyKey & { sbomId: string }

const pollMs = 250

/**
 * Waits until matching of an SBOM has ended, for at most `waitMs` or until `stop` fires; whichever comes first, the answer is
 * read afterwards. Codes: `not_found`.
 */
export async function awaitMatching(
  db: Db,
  key: SbomKey,
  { waitMs, stop }: { waitMs: number; stop: AbortSignal },
): Promise<void> {
  const endsAt = performance.now() + waitMs
  while (!hasEnded(await selectStatus(db, key)) && !stop.aborted) {
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0) return
    await sleep(Math.min(pollMs, leftMs), undefined, { signal: stop }).catch(ignoreAbort)
  }
}

function hasEnded(status: SbomStatus): boolean {
  return status === 'matched' || status === 'failed'
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}

async function selectStatus(db: Db, { workspaceId, familyId, sbomId }: SbomKey): Promise<SbomStatus> {
  const row = await db
    .selectFrom('sbom')
    .select('status')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('id', '=', sbomId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return row.status
}

/** The SBOM shape of an SBOM of this family. Codes: `not_found`. */
export async function selectStoredSbom(
  db: Db,
  { workspaceId, familyId, sbomId }: SbomKey,
): Promise<StoredSbom> {
  const row = await db
    .selectFrom('sbom as s')
    .innerJoin('workspace as w', 'w.id', 's.workspace_id')
    .leftJoin('product_version as v', 'v.id', 's.version_id')
    .select(['s.id', 's.status', 's.component_count', 'w.slug', 'v.name as version'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.family_id', '=', familyId)
    .where('s.id', '=', sbomId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  const { id, status, slug, component_count: components, version } = row
  return { id, workspaceSlug: slug, status, components, productVersion: version, isDuplicate: false }
}
