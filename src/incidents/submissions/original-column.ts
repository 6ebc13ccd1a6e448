import type { OriginalColumn } from '../../originals/original-column.ts'

export const receiptOriginals: OriginalColumn = {
  table: 'submission',
  column: 'receipt',
  label: 'receipts of authorities',
  sha256: null,
  replace: async (tx, { workspaceId, id, from, to }) => {
    const { numUpdatedRows } = await tx
      .updateTable('submission')
      .set({ receipt: to.bytes, object_id: to.objectId })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where((eb) => (from === null ? eb('receipt', 'is not', null) : eb('object_id', '=', from)))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  },
}
