import type { NewJob } from '../queue/enqueue.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'

type SbomToMatch = FamilyKey & { sbomId: string; tokenId?: string | null; now: Date }

/** The job that matches an SBOM; `tokenId`: whose upload it was. */
export function matchingJob({ now, ...sbom }: SbomToMatch): NewJob<'match_sbom'> {
  return { kind: 'match_sbom', key: sbom.sbomId, workspaceId: sbom.workspaceId, payload: sbom, runAt: now }
}
