import type { ReactNode } from 'react'
import type { DependencyRow } from '#contract/dependencies/shapes.ts'
import { nameColumn, versionColumn } from '../../components/component-columns.tsx'
import type { Column } from '../../kit/table/column.ts'
import { formatNoun } from '../../kit/text/format.ts'
import { DependencyMarks } from './DependencyMarks.tsx'

/** Columns for components anywhere in the tree. */
export const dependencyColumns: Column<DependencyRow>[] = [
  nameColumn,
  versionColumn,
  {
    id: 'findings',
    header: 'Findings',
    widthPx: 300,
    phoneWidthPx: 120,
    cell: (row) => <DependencyMarks {...row} />,
  },
  {
    id: 'steps',
    header: 'Place',
    widthPx: 190,
    from: 'sm',
    cell: ({ steps }) => <StepsFromProduct steps={steps} />,
  },
]

function StepsFromProduct({ steps }: Pick<DependencyRow, 'steps'>): ReactNode {
  if (steps === null) return <span className="dimmed">reached by no path</span>
  return steps === 1 ? 'first step' : formatNoun(steps, 'step')
}
