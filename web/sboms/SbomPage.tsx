import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SbomDetail } from '#contract/sbom/rows.ts'
import { sbomQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { sbomTabs } from './area.ts'
import { pages } from '../areas.ts'
import { formatCount } from '../kit/text/format.ts'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { showOpenTab } from '../kit/page/PageTabs.tsx'
import { ChangesTab } from './comparison/ChangesTab.tsx'
import { coverageTotal } from '#contract/sbom/shapes.ts'
import { ComponentsTab } from './components/ComponentsTab.tsx'
import { DependenciesTab } from './dependencies/DependenciesTab.tsx'
import { FindingsTab } from './findings/FindingsTab.tsx'
import { QualityTab } from './QualityTab.tsx'
import { SbomCards } from './SbomCards.tsx'
import { SbomFailure } from './SbomFailure.tsx'
import { SbomFacts } from './SbomFacts.tsx'
import { SbomHeader } from './SbomHeader.tsx'
import { SbomPlace } from './SbomPlace.tsx'
import { isFailure } from '../kit/api/request.ts'
import { Loaded, QueryProblem } from '../kit/page/Loaded.tsx'
import { RemovedSbom } from './RemovedSbom.tsx'

/** One SBOM: its origin, its findings, and how well it can be judged. */
export default function SbomPage(): ReactNode {
  const { sbom: sbomId } = useParams({ from: '/signed-in/$slug/sboms/$sbom' })
  const { slug } = useWorkspace()
  const sbom = useQuery(sbomQuery(slug, sbomId))
  const head = <PageHeader title="SBOM" crumbs={[{ name: 'Families', link: pages.families(slug) }]} />
  if (isFailure(sbom.error, 'not_found')) {
    const unknown = (
      <>
        {head}
        <QueryProblem query={sbom} />
      </>
    )
    return <RemovedSbom sbomId={sbomId} otherwise={unknown} />
  }
  return (
    <Loaded query={sbom} head={head}>
      {(known) => (
        <>
          <SbomHeader sbom={known} />
          <SbomPlace sbom={known} />
          {known.status === 'failed' ? <SbomFailure sbom={known} /> : null}
          <SbomFacts sbom={known} />
          <SbomCards sbom={known} />
          <SbomTabs sbom={known} />
        </>
      )}
    </Loaded>
  )
}

function SbomTabs({ sbom }: { sbom: SbomDetail }): ReactNode {
  const { slug } = useWorkspace()
  const { tab = 'findings' } = useSearch({ from: '/signed-in/$slug/sboms/$sbom' })
  const navigate = useNavigate()
  const names = {
    // Zero is a result only once matching is done and something could be checked.
    findings:
      (sbom.status === 'matched' && sbom.coverage.covered > 0) || sbom.findings.total > 0
        ? `Findings ${formatCount(sbom.findings.total)}`
        : 'Findings',
    components: `Components ${formatCount(coverageTotal(sbom.coverage))}`,
    dependencies: 'Dependencies',
    quality: 'Quality',
    changes: 'Changes',
  } as const
  return (
    <Tabs
      value={tab}
      keepMounted={false}
      onChange={(value) => {
        const next = sbomTabs.find((name) => name === value)
        const search = next === undefined || next === 'findings' ? {} : { tab: next }
        void navigate({ ...pages.sbom(slug, sbom.id, search), resetScroll: false })
      }}
    >
      <Tabs.List ref={showOpenTab} mb="sm">
        {sbomTabs.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {names[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="findings">
        <FindingsTab sbom={sbom} />
      </Tabs.Panel>
      <Tabs.Panel value="components">
        <ComponentsTab sbom={sbom} />
      </Tabs.Panel>
      <Tabs.Panel value="dependencies">
        <DependenciesTab sbom={sbom} />
      </Tabs.Panel>
      <Tabs.Panel value="quality">
        <QualityTab sbom={sbom} />
      </Tabs.Panel>
      <Tabs.Panel value="changes">
        <ChangesTab sbom={sbom} />
      </Tabs.Panel>
    </Tabs>
  )
}
