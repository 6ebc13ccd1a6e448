import { IconArrowRight, IconMinus, IconPlus } from '@tabler/icons-react'
import type { ComponentChange, FindingChange } from '#contract/inventory/shapes.ts'
import { StatusChip, type Look } from '../../kit/text/Chip.tsx'
import { ComponentName, nameColumn } from '../../components/component-columns.tsx'
import {
  componentColumn,
  exploitedColumn,
  gradeColumn,
  severityColumn,
} from '../../findings/shared-columns.tsx'
import { VulnerabilityName } from '../../findings/VulnerabilityName.tsx'
import type { Column } from '../../kit/table/column.ts'
import { VersionText } from '../../kit/text/CutText.tsx'

const versionCell = (version: string | null) =>
  version === null ? <span className="dimmed">–</span> : <VersionText>{version}</VersionText>

const componentLooks: Record<ComponentChange['change'], Look> = {
  added: { word: 'added', tone: 'plain', Icon: IconPlus },
  removed: { word: 'removed', tone: 'plain', Icon: IconMinus },
  changed: { word: 'changed', tone: 'plain', Icon: IconArrowRight },
}

/** An added vulnerability is worse, a removed one better. */
const findingLooks: Record<FindingChange['change'], Look> = {
  added: { word: 'added', tone: 'bad', Icon: IconPlus },
  removed: { word: 'gone', tone: 'good', Icon: IconMinus },
}

export const componentChangeColumns: Column<ComponentChange>[] = [
  {
    ...nameColumn,
    cell: ({ group, name, purl }) => <ComponentName group={group} name={name} purl={purl} />,
  },
  {
    id: 'change',
    header: 'Change',
    widthPx: 120,
    phoneWidthPx: 104,
    cell: ({ change }) => <StatusChip {...componentLooks[change]} />,
  },
  { id: 'from', header: 'Before', widthPx: 168, from: 'sm', cell: ({ from }) => versionCell(from) },
  { id: 'to', header: 'After', widthPx: 168, phoneWidthPx: 92, cell: ({ to }) => versionCell(to) },
]

export const findingChangeColumns: Column<FindingChange>[] = [
  {
    id: 'title',
    header: 'Vulnerability',
    cell: ({ title, summary }) => <VulnerabilityName id={title} summary={summary} />,
  },
  {
    id: 'change',
    header: 'Change',
    widthPx: 110,
    phoneWidthPx: 84,
    cell: ({ change }) => <StatusChip {...findingLooks[change]} />,
  },
  { ...exploitedColumn, from: 'sm' },
  { ...severityColumn, phoneWidthPx: 102 },
  { ...componentColumn, from: 'sm' },
  { ...gradeColumn, from: 'md' },
]
