import type { FindingRow } from '../../../../src/contract/app.ts'
import {
  componentColumn,
  exploitedColumn,
  fixedColumn,
  gradeColumn,
  seenColumn,
  severityColumn,
  summaryColumn,
  verdictColumn,
} from '../../../ui/findings/shared-columns.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { Foreign } from '../../../ui/text/Foreign.tsx'
import { formatCount } from '../../../ui/text/format.ts'
import { NameVersion } from '../../../ui/text/NameVersion.tsx'

export const findingListColumns: Column<FindingRow>[] = [
  {
    id: 'title',
    header: 'Vulnerability',
    widthPx: 216,
    sorts: [{ value: 'title', direction: 'ascending' }],
    cell: ({ title, component }) => (
      <span className="two-lines">
        <span className="clip">
          <Foreign>{title}</Foreign>
        </span>
        <span className="phone-only">
          <NameVersion name={component.name} version={component.version} />
        </span>
      </span>
    ),
    copies: ({ title }) => ({ text: title, what: title }),
  },
  {
    ...exploitedColumn,
    widthPx: 104,
    phoneWidthPx: 76,
    sorts: [{ value: 'urgency', direction: 'descending' }],
  },
  {
    ...severityColumn,
    widthPx: 134,
    phoneWidthPx: 102,
    sorts: [{ value: 'severity', direction: 'descending' }],
  },
  {
    ...componentColumn,
    from: 'sm',
    sorts: [{ value: 'component', direction: 'ascending' }],
    cell: ({ component, occurrences }) => (
      <NameVersion
        name={component.name}
        version={component.version}
        title={component.purl}
        rest={
          occurrences === 1 ? null : (
            <span className="whole" title={`${formatCount(occurrences)} components of the SBOM`}>
              × {formatCount(occurrences)}
            </span>
          )
        }
      />
    ),
  },
  { ...verdictColumn, widthPx: 168, from: 'md' },
  { ...summaryColumn, from: 'xl' },
  { ...fixedColumn, widthPx: 104, from: 'lg', fits: ({ fixedIn }) => fixedIn ?? '' },
  { ...gradeColumn, widthPx: 94, from: 'lg' },
  { ...seenColumn, widthPx: 100, from: 'xl', sorts: [{ value: 'newest', direction: 'descending' }] },
]
