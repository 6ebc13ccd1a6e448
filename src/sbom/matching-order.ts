import type { JobOrder } from '../platform/jobs/enqueue.ts'
import type { FamilyKey } from '../workspace/families/family-key.ts'

type Ordered = FamilyKey & { sbomId: string; tokenId?: string | null; now: Date }

/** The order to match an SBOM; `tokenId`: whose upload it was. */
export function matchingOrder({ now, ...sbom }: Ordered): JobOrder<'match_sbom'> {
  return { kind: 'match_sbom', key: sbom.sbomId, workspaceId: sbom.workspaceId, payload: sbom, runAt: now }
}
