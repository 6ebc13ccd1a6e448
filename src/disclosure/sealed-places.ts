import type { Db } from '../database/connection.ts'
import type { SealedPlace } from '../platform/sealing/envelope.ts'
import type { SealedColumn } from '../platform/sealing/reseal.ts'

/** The purpose of each sealed value of the inbox: it opens for no other. */
const purposes = {
  reportText: 'report text',
  receipt: 'report receipt',
  entryText: 'report entry',
  attachmentName: 'attachment name',
  attachmentContent: 'attachment content',
} as const

type RowKey = { workspaceId: string; id: string }

function placeFor(purpose: string): (row: RowKey) => SealedPlace {
  return ({ workspaceId, id }) => ({ purpose, workspaceId, rowId: id })
}

export const reportTextPlace = placeFor(purposes.reportText)
export const receiptPlace = placeFor(purposes.receipt)
export const entryTextPlace = placeFor(purposes.entryText)
export const attachmentNamePlace = placeFor(purposes.attachmentName)
export const attachmentContentPlace = placeFor(purposes.attachmentContent)

type Replacing = Parameters<SealedColumn['replace']>[1]

export const inboxSealedColumns: readonly SealedColumn[] = [
  {
    table: 'inbox_report',
    column: 'text_sealed',
    purpose: purposes.reportText,
    replace: (db, change) => replaceInReport(db, 'text_sealed', change),
  },
  {
    table: 'inbox_report',
    column: 'receipt_sealed',
    purpose: purposes.receipt,
    replace: (db, change) => replaceInReport(db, 'receipt_sealed', change),
  },
  {
    table: 'inbox_entry',
    column: 'text_sealed',
    purpose: purposes.entryText,
    replace: (db, { id, from, to }) =>
      db
        .updateTable('inbox_entry')
        .set({ text_sealed: to })
        .where('id', '=', id)
        .where('text_sealed', '=', from)
        .execute(),
  },
  {
    table: 'inbox_attachment',
    column: 'name_sealed',
    purpose: purposes.attachmentName,
    replace: (db, change) => replaceInAttachment(db, 'name_sealed', change),
  },
  {
    table: 'inbox_attachment',
    column: 'content_sealed',
    purpose: purposes.attachmentContent,
    isLarge: true,
    replace: (db, change) => replaceInAttachment(db, 'content_sealed', change),
  },
]

function replaceInReport(db: Db, column: 'text_sealed' | 'receipt_sealed', { id, from, to }: Replacing) {
  return db
    .updateTable('inbox_report')
    .set(column, to)
    .where('id', '=', id)
    .where(column, '=', from)
    .execute()
}

function replaceInAttachment(db: Db, column: 'name_sealed' | 'content_sealed', { id, from, to }: Replacing) {
  return db
    .updateTable('inbox_attachment')
    .set(column, to)
    .where('id', '=', id)
    .where(column, '=', from)
    .execute()
}
