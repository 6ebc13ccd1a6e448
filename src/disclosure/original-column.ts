import type { OriginalColumn } from '../originals/original-column.ts'
import { attachmentContentPlace } from './sealed-places.ts'

export const attachmentOriginals: OriginalColumn = {
  table: 'inbox_attachment',
  column: 'content_sealed',
  label: 'files attached to reports',
  sha256: null,
  opened: (sealing, row, bytes) => sealing.openBytes(attachmentContentPlace(row), bytes),
  sealed: (sealing, row, original) => sealing.seal(attachmentContentPlace(row), original),
  replace: async (tx, { workspaceId, id, from, to }) => {
    const { numUpdatedRows } = await tx
      .updateTable('inbox_attachment')
      .set({ content_sealed: to.bytes, object_id: to.objectId })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where((eb) => (from === null ? eb('content_sealed', 'is not', null) : eb('object_id', '=', from)))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
}
