import { attachmentOriginals } from '../../disclosure/original-column.ts'
import { receiptOriginals } from '../../incidents/submissions/original-column.ts'
import type { OriginalColumn } from '../../originals/original-column.ts'
import { sbomOriginals } from '../../sbom/original-column.ts'
import { vexOriginals } from '../../vex/original-column.ts'

/** Every table that names originals. */
export const originalColumns: readonly OriginalColumn[] = [
  sbomOriginals,
  vexOriginals,
  receiptOriginals,
  attachmentOriginals,
]
