import { NameVersion } from '../../../ui/text/NameVersion.tsx'
import { visibleText } from '../../../../src/contract/hidden-characters.ts'
import { Foreign } from '../../../ui/text/Foreign.tsx'
import { IconArrowRight, IconMinus, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ComponentChange, FindingChange } from '../../../../src/contract/inventory.ts'
import { Chip } from '../../../ui/Chip.tsx'
import { ExploitedChips } from '../../../ui/findings/ExploitedChip.tsx'
import { GradeMark } from '../../../ui/findings/GradeMark.tsx'
import { SeverityMark } from '../../../ui/findings/Severity.tsx'
import type { Column } from '../../../ui/table/column.ts'

const none = <span className="dimmed">–</span>

const changeLooks = {
  added: { word: 'added', Icon: IconPlus },
  removed: { word: 'removed', Icon: IconMinus },
  changed: { word: 'changed', Icon: IconArrowRight },
} as const

function ComponentChangeMark({ change }: Pick<ComponentChange, 'change'>): ReactNode {
  const { word, Icon } = changeLooks[change]
  return (
    <Chip tone="plain" Icon={Icon}>
      {word}
    </Chip>
  )
}

/** An added vulnerability is worse, one that is gone is better. */
function FindingChangeMark({ change }: Pick<FindingChange, 'change'>): ReactNode {
  return change === 'added' ? (
    <Chip tone="bad" Icon={IconPlus}>
      added
    </Chip>
  ) : (
    <Chip tone="good" Icon={IconMinus}>
      gone
    </Chip>
  )
}

export const componentChangeColumns: Column<ComponentChange>[] = [
  {
    id: 'name',
    header: 'Component',
    cell: ({ group, name, purl }) => (
      <span className="clip" title={visibleText(purl ?? '')}>
        <Foreign>{name === '' ? 'without name' : name}</Foreign>
        {group === null ? null : (
          <span className="dimmed wide-only">
            {' '}
            <Foreign>{group}</Foreign>
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'change',
    header: 'Change',
    widthPx: 120,
    phoneWidthPx: 104,
    cell: ({ change }) => <ComponentChangeMark change={change} />,
  },
  { id: 'from', header: 'Before', widthPx: 180, from: 'sm', whole: true, cell: ({ from }) => from ?? none },
  { id: 'to', header: 'After', widthPx: 180, phoneWidthPx: 92, whole: true, cell: ({ to }) => to ?? none },
]

export const findingChangeColumns: Column<FindingChange>[] = [
  {
    id: 'title',
    header: 'Vulnerability',
    widthPx: 184,
    cell: ({ title }) => (
      <span className="clip">
        <Foreign>{title}</Foreign>
      </span>
    ),
  },
  {
    id: 'change',
    header: 'Change',
    widthPx: 110,
    phoneWidthPx: 84,
    cell: ({ change }) => <FindingChangeMark change={change} />,
  },
  {
    id: 'exploited',
    header: 'Exploited',
    widthPx: 128,
    from: 'sm',
    cell: ({ exploitedBy }) => <ExploitedChips catalogues={exploitedBy} />,
  },
  {
    id: 'severity',
    header: 'Severity',
    widthPx: 132,
    phoneWidthPx: 92,
    cell: ({ severity, score }) => <SeverityMark severity={severity} score={score} />,
  },
  {
    id: 'component',
    header: 'Component',
    from: 'sm',
    cell: ({ component }) => <NameVersion name={component.name} version={component.version} />,
  },
  {
    id: 'summary',
    header: 'Summary',
    from: 'lg',
    cell: ({ summary }) => (
      <span title={visibleText(summary)}>
        <Foreign>{summary}</Foreign>
      </span>
    ),
  },
  {
    id: 'grade',
    header: 'Match',
    widthPx: 100,
    from: 'md',
    cell: ({ grade }) => <GradeMark grade={grade} />,
  },
]
