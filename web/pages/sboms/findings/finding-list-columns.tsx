import { NameVersion } from '../../../ui/text/NameVersion.tsx'
import { visibleText } from '../../../../src/contract/hidden-characters.ts'
import type { FindingRow } from '../../../../src/contract/app.ts'
import { formatCount } from '../../../ui/text/format.ts'
import { Foreign } from '../../../ui/text/Foreign.tsx'
import { ExploitedChips } from '../../../ui/findings/ExploitedChip.tsx'
import { GradeMark } from '../../../ui/findings/GradeMark.tsx'
import { SeverityMark } from '../../../ui/findings/Severity.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { Age } from '../../../ui/text/Time.tsx'
import { VerdictChip } from '../../../ui/findings/VerdictChip.tsx'

export const findingListColumns: Column<FindingRow>[] = [
  {
    id: 'title',
    header: 'Vulnerability',
    widthPx: 176,
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
    id: 'exploited',
    header: 'Exploited',
    widthPx: 104,
    phoneWidthPx: 76,
    sorts: [{ value: 'urgency', direction: 'descending' }],
    cell: ({ exploitedBy }) => <ExploitedChips catalogues={exploitedBy} />,
  },
  {
    id: 'severity',
    header: 'Severity',
    widthPx: 134,
    phoneWidthPx: 102,
    sorts: [{ value: 'severity', direction: 'descending' }],
    cell: ({ severity, score }) => <SeverityMark severity={severity} score={score} />,
  },
  {
    id: 'component',
    header: 'Component',
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
    id: 'verdict',
    header: 'Verdict',
    widthPx: 168,
    from: 'md',
    cell: ({ verdict, verdictSource }) => <VerdictChip verdict={verdict} source={verdictSource} />,
  },
  {
    id: 'summary',
    header: 'Summary',
    from: 'xl',
    cell: ({ summary }) => (
      <span title={visibleText(summary)}>
        <Foreign>{summary}</Foreign>
      </span>
    ),
  },
  {
    id: 'fixed',
    header: 'Fixed in',
    widthPx: 104,
    from: 'lg',
    fits: ({ fixedIn }) => fixedIn ?? '',
    cell: ({ fixedIn }) => fixedIn ?? <span className="dimmed">no known fix</span>,
  },
  {
    id: 'grade',
    header: 'Match',
    widthPx: 94,
    from: 'lg',
    cell: ({ grade }) => <GradeMark grade={grade} />,
  },
  {
    id: 'seen',
    header: 'First seen',
    widthPx: 100,
    from: 'xl',
    sorts: [{ value: 'newest', direction: 'descending' }],
    cell: ({ firstSeenAt }) => <Age at={firstSeenAt} />,
  },
]
