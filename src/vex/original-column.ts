import type { OriginalColumn } from '../originals/original-column.ts'

export const vexOriginals: OriginalColumn = {
  table: 'vex_document',
  column: 'raw',
  label: 'VEX documents',
  sha256: 'sha256',
  replace: async (tx, { workspaceId, id, from, to }) => {
    const { numUpdatedRows } = await tx
      .updateTable('vex_document')
      .set({ raw: to.bytes, object_id: to.objectId })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where((eb) => (from === null ? eb('raw', 'is not', null) : eb('object_id', '=', from)))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
}
