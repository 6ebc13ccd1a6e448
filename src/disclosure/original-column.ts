import type { OriginalColumn } from '../originals/original-column.ts'
import { attachmentContentPlace } from './sealed-places.ts'

export const attachmentOriginals: OriginalColumn = {
  table: 'inbox_attachment',
  column: 'content_sealed',
  label: 'files attached to reports',
  sha256: null,
  opened: (sealing, row, bytes) => sealing.openBytes(attachmentContentPlace(row), bytes),
  sealed: (sealing, row, original) => sealing.seal(attachmentContentPlace(row), original),
}
