import type { AnyUploadSource } from '../../contract/sbom/shapes.ts'
import type { Sender } from '../../products/tokens/lock-sender.ts'

/** A VEX document on its way in, after the token step. */
export type VexUpload = {
  sender: Sender
  /** The `Content-Encoding` header as it came. */
  contentEncoding: string | undefined
  /** The version it holds for; null: every version of the family. */
  productVersion: string | null
  source: AnyUploadSource
  requestId: string
  address: string
}
