import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SbomComparison } from '#contract/inventory/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { Empty } from '../../kit/page/Empty.tsx'
import { formatCount } from '../../kit/text/format.ts'
import { Section } from '../../kit/page/Section.tsx'
import { VirtualTable } from '../../kit/table/VirtualTable.tsx'
import { componentChangeColumns, findingChangeColumns } from './comparison-columns.tsx'

/** Changes between two SBOMs: vulnerabilities of their components, whatever the verdict, and components. */
export function Changes({ comparison: { components, findings } }: { comparison: SbomComparison }): ReactNode {
  const { slug } = useWorkspace()
  return (
    <Stack gap={28}>
      <Section
        title="Vulnerabilities"
        aside={
          <Text c="dimmed">
            {formatCount(findings.added)} added, {formatCount(findings.removed)} removed,{' '}
            {formatCount(findings.kept)} kept, whatever their verdicts
          </Text>
        }
      >
        <VirtualTable
          label="Vulnerabilities"
          columns={findingChangeColumns}
          rows={findings.rows}
          total={findings.rows.length}
          onMore={undefined}
          rowId={({ change, title }) => `${change} ${title}`}
          rowLink={({ title }) => pages.vulnerability(slug, title)}
          empty={<Empty why="Both are affected by the same vulnerabilities." />}
        />
        <Cut shown={findings.rows.length} total={findings.added + findings.removed} />
      </Section>
      <Section
        title="Components"
        aside={
          <Text c="dimmed">
            {formatCount(components.changed)} changed, {formatCount(components.added)} added,{' '}
            {formatCount(components.removed)} removed
          </Text>
        }
      >
        <VirtualTable
          label="Components"
          columns={componentChangeColumns}
          rows={components.rows}
          total={components.rows.length}
          onMore={undefined}
          rowId={(row) => JSON.stringify(row)}
          empty={<Empty why="Both contain the same components." />}
        />
        <Cut
          shown={components.rows.length}
          total={components.added + components.removed + components.changed}
        />
      </Section>
    </Stack>
  )
}

function Cut({ shown, total }: { shown: number; total: number }): ReactNode {
  if (shown >= total) return null
  return (
    <Text c="dimmed" mt="xs">
      {formatCount(shown)} of {formatCount(total)} changes are shown.
    </Text>
  )
}
