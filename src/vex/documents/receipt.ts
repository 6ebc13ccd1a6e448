import type { VexFormat, VexReceipt } from '../../contract/vex/shapes.ts'

/** A VEX document as the database holds it after an upload, new or known before. */
export type StoredVex = {
  id: string
  workspaceSlug: string
  format: VexFormat
  statements: number
  findings: number
  unbound: number
  productVersion: string | null
  /** Documents whose place this upload took; none for a document that was known before. */
  replaced: number
  isDuplicate: boolean
}

/** The VEX document shape of the public interface. `baseUrl` carries no trailing slash. */
export function vexReceipt(stored: StoredVex, baseUrl: string): VexReceipt {
  return {
    id: stored.id,
    format: stored.format,
    statements: stored.statements,
    findings: stored.findings,
    unbound: stored.unbound,
    version: stored.productVersion,
    replaced: stored.replaced,
    url: `${baseUrl}/app/${stored.workspaceSlug}/vex/${stored.id}`,
    duplicate: stored.isDuplicate,
  }
}
