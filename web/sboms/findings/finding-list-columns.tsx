import type { FindingRow } from '#contract/findings/lists.ts'
import {
  componentColumn,
  exploitedColumn,
  fixedColumn,
  gradeColumn,
  seenColumn,
  severityColumn,
  verdictColumn,
  withoutExploited,
} from '../../findings/shared-columns.tsx'
import { scopeColumn } from '../../components/scope.tsx'
import { VulnerabilityName } from '../../findings/VulnerabilityName.tsx'
import type { Column } from '../../kit/table/column.ts'
import { formatCount } from '../../kit/text/format.ts'
import { NameVersion } from '../../kit/text/NameVersion.tsx'
import { Through } from './through.tsx'

export const findingListColumns: Column<FindingRow>[] = [
  {
    id: 'title',
    header: 'Vulnerability',
    sorts: [{ value: 'title', direction: 'ascending' }],
    cell: ({ title, summary, component }) => (
      <VulnerabilityName
        id={title}
        summary={summary}
        onPhone={<NameVersion name={component.name} version={component.version} />}
      />
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
  {
    id: 'through',
    header: 'Comes in through',
    widthPx: 170,
    from: 'xl',
    cell: (row) => <Through row={row} />,
  },
  { ...scopeColumn<FindingRow>(({ component }) => component.scope), from: 'xl' },
  { ...verdictColumn, from: 'md' },
  { ...fixedColumn, from: 'lg' },
  { ...gradeColumn, from: 'lg' },
  { ...seenColumn, widthPx: 100, from: 'xl', sorts: [{ value: 'newest', direction: 'descending' }] },
]

export const unexploitedColumns = withoutExploited(findingListColumns)
