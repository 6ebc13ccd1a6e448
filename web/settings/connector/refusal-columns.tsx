import { CutForeign, Foreign } from '../../kit/text/Foreign.tsx'
import type { ConnectorRefusal } from '#contract/connector/shapes.ts'
import { formatBytes, formatCount } from '../../kit/text/format.ts'
import type { Column } from '../../kit/table/column.ts'
import { Moment } from '../../kit/time/Time.tsx'
import { refusalWords } from './refusal-words.ts'
import { RefusalState } from './RefusalState.tsx'

export const refusalColumns: Column<ConnectorRefusal>[] = [
  {
    id: 'at',
    header: 'Time',
    widthPx: 190,
    phoneWidthPx: 150,
    cell: ({ at, times }) => (
      <span className="clip">
        <Moment at={at} /> {times > 1 ? <span className="dimmed">{formatCount(times)} times</span> : null}
      </span>
    ),
  },
  {
    id: 'project',
    header: 'Project',
    widthPx: 210,
    from: 'sm',
    cell: ({ projectName, projectVersion }) =>
      projectName === null ? (
        <span className="dimmed">not read</span>
      ) : (
        <span className="clip">
          <Foreign>{projectName}</Foreign>{' '}
          {projectVersion === null ? null : (
            <span className="dimmed">
              <Foreign>{projectVersion}</Foreign>
            </span>
          )}
        </span>
      ),
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: (refusal) => {
      const words = refusalWords(refusal)
      return (
        <span className="clip" title={words}>
          {words}
        </span>
      )
    },
  },
  {
    id: 'group',
    header: 'Group',
    widthPx: 140,
    from: 'md',
    cell: ({ group }) =>
      group === null ? (
        <span className="dimmed">not read</span>
      ) : (
        <code>
          <Foreign>{group}</Foreign>
        </code>
      ),
  },
  {
    id: 'size',
    header: 'Size',
    widthPx: 84,
    from: 'lg',
    align: 'right',
    cell: ({ sizeBytes }) =>
      sizeBytes === null ? <span className="dimmed">–</span> : formatBytes(sizeBytes),
  },
  {
    id: 'token',
    header: 'Token',
    widthPx: 110,
    from: 'lg',
    cell: ({ tokenName }) => <CutForeign>{tokenName}</CutForeign>,
  },
  {
    id: 'state',
    header: 'State',
    widthPx: 100,
    phoneWidthPx: 92,
    cell: (refusal) => <RefusalState refusal={refusal} />,
  },
]
