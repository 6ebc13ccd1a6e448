import type { OriginalColumn } from '../originals/original-column.ts'

export const sbomOriginals: OriginalColumn = {
  table: 'sbom',
  column: 'raw',
  label: 'SBOMs',
  sha256: 'sha256',
}
