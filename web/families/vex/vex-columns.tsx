import { CutForeign, Foreign } from '../../kit/text/Foreign.tsx'
import { sourceLabels } from '#contract/sbom/shapes.ts'
import type { VexDocumentRow } from '#contract/vex/documents.ts'
import { formatCount } from '../../kit/text/format.ts'
import type { Column } from '../../kit/table/column.ts'
import { Moment } from '../../kit/time/Time.tsx'
import { VexStateChip } from '../../vex/VexStateChip.tsx'
import { capital, scopeWords } from '../../vex/vex-words.ts'

export const vexColumns: Column<VexDocumentRow>[] = [
  {
    id: 'document',
    header: 'Document',
    cell: ({ formatLabel, author, sbomId }) => (
      <span className="clip">
        {formatLabel}{' '}
        <span className="dimmed wide-only">
          <Foreign>{sbomId === null ? (author ?? '') : 'inside an SBOM'}</Foreign>
        </span>
      </span>
    ),
  },
  {
    id: 'scope',
    header: 'Applies to',
    widthPx: 150,
    from: 'sm',
    whole: true,
    cell: (document) => capital(scopeWords(document)),
  },
  {
    id: 'statements',
    header: 'Statements',
    widthPx: 100,
    phoneWidthPx: 88,
    align: 'right',
    cell: ({ statements }) => formatCount(statements),
  },
  {
    id: 'unbound',
    header: 'Not bound',
    widthPx: 92,
    from: 'sm',
    align: 'right',
    cell: ({ unbound }) =>
      unbound === 0 ? (
        <span className="dimmed">0</span>
      ) : (
        <strong style={{ color: 'var(--severity-high)' }} title="Statements without effect">
          {formatCount(unbound)}
        </strong>
      ),
  },
  {
    id: 'findings',
    header: 'Reported',
    widthPx: 88,
    from: 'md',
    align: 'right',
    cell: ({ findings }) => (findings === 0 ? <span className="dimmed">0</span> : formatCount(findings)),
  },
  { id: 'source', header: 'Source', widthPx: 124, from: 'xl', cell: ({ source }) => sourceLabels[source] },
  {
    id: 'sentBy',
    header: 'Sent by',
    widthPx: 116,
    from: 'lg',
    cell: ({ sentBy }) => <CutForeign>{sentBy}</CutForeign>,
  },
  {
    id: 'received',
    header: 'Received',
    widthPx: 168,
    from: 'md',
    cell: ({ receivedAt }) => <Moment at={receivedAt} />,
  },
  {
    id: 'state',
    header: 'State',
    widthPx: 108,
    phoneWidthPx: 106,
    cell: ({ state }) => <VexStateChip state={state} />,
  },
]
