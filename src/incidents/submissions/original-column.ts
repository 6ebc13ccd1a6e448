import type { OriginalColumn } from '../../originals/original-column.ts'

export const receiptOriginals: OriginalColumn = {
  table: 'submission',
  column: 'receipt',
  label: 'receipts of authorities',
  sha256: null,
}
