import type { OriginalColumn } from '../originals/original-column.ts'

export const vexOriginals: OriginalColumn = {
  table: 'vex_document',
  column: 'raw',
  label: 'VEX documents',
  sha256: 'sha256',
}
