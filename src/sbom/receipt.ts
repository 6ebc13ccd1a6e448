import type { SbomReceipt, SbomStatus } from '../contract/sbom/shapes.ts'

/** An SBOM as the database holds it after an upload, new or known before. */
export type StoredSbom = {
  id: string
  workspaceSlug: string
  status: SbomStatus
  /** Number of components read, repeated ones included. */
  components: number
  productVersion: string | null
  isDuplicate: boolean
}

/** The SBOM shape of the public interface. `baseUrl` carries no trailing slash. */
export function sbomReceipt(stored: StoredSbom, baseUrl: string): SbomReceipt {
  return {
    id: stored.id,
    status: stored.status,
    components: stored.components,
    version: stored.productVersion,
    url: `${baseUrl}/app/${stored.workspaceSlug}/sboms/${stored.id}`,
    duplicate: stored.isDuplicate,
  }
}
