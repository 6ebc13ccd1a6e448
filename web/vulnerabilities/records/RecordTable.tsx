import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { vulnerabilityId } from '#contract/public/public-id.ts'
import type { VulnerabilityRecord } from '#contract/vulnerabilities/shapes.ts'
import { rangeEnd, rangeStart, sourceWords } from '../../findings/evidence/record-words.ts'
import { Fixes } from '../../findings/Fixes.tsx'
import { SeverityMark } from '../../findings/Severity.tsx'
import { VulnerabilityName } from '../../findings/VulnerabilityName.tsx'
import type { Column } from '../../kit/table/column.ts'
import { DataTable } from '../../kit/table/DataTable.tsx'
import { NameText } from '../../kit/text/CutText.tsx'
import { Foreign } from '../../kit/text/Foreign.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { StatedTime } from '../../kit/time/Time.tsx'
import { fixesIn } from './compare-records.ts'

const columns: Column<VulnerabilityRecord>[] = [
  {
    id: 'record',
    header: 'Record',
    cell: ({ recordId, source, isWithdrawn }) => (
      <VulnerabilityName
        id={vulnerabilityId(recordId)}
        summary={isWithdrawn ? `withdrawn by ${sourceWords(source)}` : sourceWords(source)}
        onPhone={sourceWords(source)}
      />
    ),
  },
  {
    id: 'severity',
    header: 'Severity',
    widthPx: 134,
    phoneWidthPx: 104,
    cell: ({ severity, score }) => <SeverityMark severity={severity} score={score} />,
  },
  { id: 'ranges', header: 'Affected', from: 'sm', cell: (record) => <Ranges record={record} /> },
  {
    id: 'fixed',
    header: 'Fixed in',
    widthPx: 136,
    phoneWidthPx: 96,
    cell: (record) => {
      const [fixedIn = null, ...otherFixes] = fixesIn(record)
      return fixedIn === null ? (
        <span className="dimmed">–</span>
      ) : (
        <Fixes fixedIn={fixedIn} otherFixes={otherFixes} />
      )
    },
  },
  {
    id: 'published',
    header: 'Published',
    widthPx: 128,
    from: 'lg',
    whole: true,
    cell: ({ publishedAt }) => <StatedTime at={publishedAt} wraps />,
  },
  {
    id: 'changed',
    header: 'Changed',
    widthPx: 152,
    from: 'lg',
    whole: true,
    cell: ({ modifiedAt }) => <StatedTime at={modifiedAt} wraps />,
  },
]

/** Where the records of a vulnerability differ, one line each. */
export function RecordTable({
  label,
  records,
}: {
  label: string
  records: VulnerabilityRecord[]
}): ReactNode {
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={records}
      rowId={({ recordId, source }) => `${source} ${recordId}`}
      empty={null}
    />
  )
}

/** The first range and the number of others; hover shows the loaded ones. */
function Ranges({ record: { ranges, rangesTotal } }: { record: VulnerabilityRecord }): ReactNode {
  const [first] = ranges
  if (first === undefined) return <span className="dimmed">no range</span>
  const words = ranges.map((range) => visibleText(`${range.package} ${wordsOf(range)}`))
  const all = [...words, ...(rangesTotal > ranges.length ? ['…'] : [])].join('\n')
  return (
    <span className="named" title={all}>
      <span className="named-first">
        <NameText title={all}>{first.package}</NameText>
      </span>{' '}
      <span className="named-second">
        <Foreign>{wordsOf(first)}</Foreign>
      </span>
      {rangesTotal > 1 ? <span className="dimmed whole">+{formatCount(rangesTotal - 1)}</span> : null}
    </span>
  )
}

function wordsOf(range: VulnerabilityRecord['ranges'][number]): string {
  const end = rangeEnd(range)
  return range.introduced === '0' ? end : `${rangeStart(range)} ${end}`
}
