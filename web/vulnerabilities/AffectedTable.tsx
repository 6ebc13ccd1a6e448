import { useSelected } from '../kit/table/use-selected.ts'
import { NameVersion } from '../kit/text/NameVersion.tsx'
import { visibleText } from '#contract/hidden-characters.ts'
import { vulnerabilityId } from '#contract/public/public-id.ts'
import { Foreign } from '../kit/text/Foreign.tsx'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AffectedVersion, VulnerabilityDetail } from '#contract/vulnerabilities/shapes.ts'
import { decisionLimits } from '#contract/findings/verdict.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { formatCount, formatNoun } from '../kit/text/format.ts'
import {
  componentColumn,
  exploitedColumn,
  fixedColumn,
  gradeColumn,
  seenColumn,
  verdictColumn,
} from '../findings/shared-columns.tsx'
import { Section } from '../kit/page/Section.tsx'
import type { Column } from '../kit/table/column.ts'
import { DataTable } from '../kit/table/DataTable.tsx'
import { scopesOfVersions } from '../findings/verdicts/decision-draft.ts'
import { SelectedFindings } from '../findings/verdicts/SelectedFindings.tsx'
import { AllClear } from '../sources/AllClear.tsx'

const columns: Column<AffectedVersion>[] = [
  {
    id: 'family',
    header: 'Product',
    cell: ({ family, version }) => <NameVersion name={family.name} version={version} />,
  },
  { ...componentColumn, phoneWidthPx: 128 },
  { ...exploitedColumn, from: 'sm' },
  { ...gradeColumn, phoneWidthPx: 92 },
  { ...verdictColumn, from: 'sm' },
  { ...fixedColumn, from: 'md' },
  { ...seenColumn, from: 'lg' },
]

const throughColumn: Column<AffectedVersion> = {
  id: 'through',
  header: 'Found as',
  widthPx: 184,
  from: 'xl',
  cell: ({ through }) => (
    <span className="clip" title={visibleText(through)}>
      <Foreign>{vulnerabilityId(through)}</Foreign>
    </span>
  ),
}

/** Where a distribution's records have ids of their own, each row shows which. */
function columnsOf({ id, affected }: VulnerabilityDetail): Column<AffectedVersion>[] {
  const isFoundElsewhere = affected.some(({ through }) => vulnerabilityId(through) !== id)
  return isFoundElsewhere ? columns.toSpliced(2, 0, throughColumn) : columns
}

/** The affected product versions; each row links to its finding, and one verdict can be recorded on many. */
export function AffectedTable({ vulnerability }: { vulnerability: VulnerabilityDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { affected, affectedTotal, settledTotal } = vulnerability
  const { selected, onSelect, clear } = useSelected(vulnerability.id)
  const chosen = affected.filter(({ findingId }) => selected.has(findingId))
  return (
    <Section title="Affected products">
      <DataTable
        label="Affected products"
        columns={columnsOf(vulnerability)}
        rows={affected}
        rowId={({ findingId }) => findingId}
        rowLink={({ findingId }) => pages.finding(slug, findingId)}
        selection={{
          selected,
          onSelect,
          rowName: ({ family, version, component }) =>
            visibleText(`${component.name} in ${family.name} ${version ?? 'without version'}`),
          max: decisionLimits.findings,
        }}
        empty={<AllClear why="It affects none of your products, as far as their components are covered." />}
      />
      {settledTotal === 0 ? null : (
        <Text c="dimmed" mt="xs">
          {formatNoun(settledTotal, 'component is', 'components are')} declared not affected or fixed, and not
          counted above.
        </Text>
      )}
      {affectedTotal > affected.length ? (
        <Text c="dimmed" mt="xs">
          The first {formatCount(affected.length)} of {formatCount(affectedTotal)} are shown.
        </Text>
      ) : null}
      <SelectedFindings
        selected={selected}
        exploited={chosen.filter(({ exploitedBy }) => exploitedBy.length > 0).length}
        scopes={scopesOfVersions(chosen)}
        onDone={clear}
      />
    </Section>
  )
}
