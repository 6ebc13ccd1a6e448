import type { UploadDetails } from './upload-details.ts'

/** An upload that has passed the token step. */
export type SbomUpload = {
  sender: { workspaceId: string; familyId: string; tokenId: string; name: string }
  /** The `Content-Encoding` header as it came. */
  contentEncoding: string | undefined
  details: UploadDetails
  requestId: string
  address: string
  now: Date
}
