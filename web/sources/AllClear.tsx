import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { WorkspaceCoverage } from '#contract/inventory/shapes.ts'
import type { SourceRow } from '#contract/sources/shapes.ts'
import { coverageQuery, sourcesQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { pages } from '../areas.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { formatShare } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { coverageTotal } from '#contract/sbom/shapes.ts'
import { SendSbom } from '../uploads/SendSbom.tsx'
import { silenceOf, whyNotLoaded } from './all-clear.ts'
import { ImportHelp } from './ImportHelp.tsx'

type Props = {
  /** An all-clear, shown only where data could find something. */
  why: string
  /** About exploited vulnerabilities only. */
  exploited?: boolean
}

/** Nothing was found: an all-clear where components could be judged, else why they could not, and how to fix it. */
export function AllClear({ why, exploited = false }: Props): ReactNode {
  const { slug } = useWorkspace()
  const coverage = useQuery(coverageQuery(slug))
  switch (silenceOf(coverage.data, { exploited })) {
    case 'unknown':
      return coverage.isError ? (
        <Empty
          why="Nothing is listed, but the coverage is not known, so this is not an all-clear."
          next={<TextLink {...pages.sources(slug)}>Open the sources</TextLink>}
        />
      ) : (
        <Empty why="Checking the coverage…" />
      )
    case 'no_sbom':
      return <Empty why="There is no active SBOM yet, so nothing has been checked." next={<SendSbom />} />
    case 'no_data':
      return (
        <Empty
          why="The vulnerability data for the components is not fully loaded, so this is not an all-clear."
          next={<MissingData brings="records" />}
        />
      )
    case 'no_catalogue':
      return (
        <Empty
          why="No catalogue of exploited vulnerabilities is loaded, so it is not known which vulnerabilities are exploited."
          next={<MissingData brings="exploited" />}
        />
      )
    case 'nothing_judged':
      return (
        <Empty
          why="None of the components is covered, so nothing is known about them."
          next={<TextLink {...pages.sources(slug)}>See why</TextLink>}
        />
      )
    case 'clear':
      return <Empty why={why} next={<Judged coverage={coverage.data} />} />
  }
}

/** Data that is missing: why, and how to load it by hand. */
export function MissingData({ brings }: { brings: SourceRow['brings'] }): ReactNode {
  const { slug } = useWorkspace()
  const sources = useQuery(sourcesQuery(slug)).data
  return (
    <Stack gap="sm" align="center">
      <Text>
        {sources === undefined ? '' : `${whyNotLoaded(sources, brings)} `}
        <TextLink {...pages.sources(slug)} underline="always">
          See the sources
        </TextLink>
      </Text>
      <ImportHelp />
    </Stack>
  )
}

function Judged({ coverage }: { coverage: WorkspaceCoverage | undefined }): ReactNode {
  const { slug } = useWorkspace()
  if (coverage === undefined) return null
  return (
    <TextLink {...pages.sources(slug)}>
      {formatShare(coverage.coverage.covered, coverageTotal(coverage.coverage))} of the components are covered
    </TextLink>
  )
}
