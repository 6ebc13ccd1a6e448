import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Unread } from '../kit/page/Loaded.tsx'
import { Section } from '../kit/page/Section.tsx'
import { TextLink } from '../kit/text/links.tsx'
import { CoverageLine } from '../metrics/CoverageLine.tsx'
import { metricsQuery } from '../metrics/queries.ts'
import { coverageTitle } from '../metrics/words.ts'
import { pages } from '../areas.ts'
import { LostCoverage } from '../sources/LostCoverage.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/**
 * The share of components that can be checked, day by day, and what no longer can. Renders nothing until the first component has arrived.
 */
export function CoverageSection(): ReactNode {
  const { slug } = useWorkspace()
  const asked = useQuery(metricsQuery(slug, {}))
  const metrics = asked.data
  if (metrics === undefined) return <Unread query={asked} />
  if ((metrics.counted.at(-1)?.components ?? 0) === 0) return null
  return (
    <Section title="Coverage" aside={<TextLink {...pages.sources(slug)}>What is not covered</TextLink>}>
      <Stack gap="sm">
        <LostCoverage />
        <Text>{coverageTitle(metrics)}.</Text>
        <CoverageLine metrics={metrics} />
      </Stack>
    </Section>
  )
}
