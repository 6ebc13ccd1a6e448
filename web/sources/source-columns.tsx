import type { SourceRow } from '#contract/sources/shapes.ts'
import { formatCount } from '../kit/text/format.ts'
import type { Column } from '../kit/table/column.ts'
import { SourceState, Taken } from './source-marks.tsx'

export const sourceColumns: Column<SourceRow>[] = [
  { id: 'label', header: 'Source', cell: ({ label }) => <span className="clip">{label}</span> },
  {
    id: 'records',
    header: 'Records',
    widthPx: 100,
    phoneWidthPx: 80,
    align: 'right',
    cell: ({ records }) => formatCount(records),
  },
  {
    id: 'age',
    header: 'Updated',
    widthPx: 130,
    from: 'sm',
    cell: ({ lastSuccessAt }) => <Taken at={lastSuccessAt} />,
  },
  {
    id: 'state',
    header: 'State',
    widthPx: 128,
    phoneWidthPx: 122,
    cell: (source) => <SourceState source={source} />,
  },
]
