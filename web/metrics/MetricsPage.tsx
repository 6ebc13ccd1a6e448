import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Metrics } from '#contract/metrics/shapes.ts'
import { metricsQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import type { MetricsSearch } from './area.ts'
import { pages } from '../areas.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { Foreign } from '../kit/text/Foreign.tsx'
import { formatDate, formatNoun } from '../kit/text/format.ts'
import { SendSbom } from '../uploads/SendSbom.tsx'
import { CoverageChart } from './CoverageChart.tsx'
import { ExposureChart } from './ExposureChart.tsx'
import { MetricsChoice } from './MetricsChoice.tsx'
import { OpenChart } from './OpenChart.tsx'
import { TimesChart } from './TimesChart.tsx'
import { coverageNow } from './words.ts'
import styles from './MetricsPage.module.css'
import { Loaded } from '../kit/page/Loaded.tsx'
import { useSteps } from '../kit/address/use-steps.ts'

/** The metrics over time: all families together, or one. */
export default function MetricsPage(): ReactNode {
  const { slug } = useWorkspace()
  const asked = useSearch({ from: '/signed-in/$slug/metrics' })
  const { show } = useSteps(asked, (next: MetricsSearch) => pages.metrics(slug, next))
  const metrics = useQuery(metricsQuery(slug, asked))

  return (
    <>
      <PageHeader
        title="Metrics"
        about="How findings, exposure and coverage developed. What needs doing is on the dashboard."
        actions={
          <Button
            variant="default"
            leftSection={<IconPrinter size={16} />}
            onClick={() => {
              window.print()
            }}
          >
            Print
          </Button>
        }
      />
      <MetricsChoice asked={asked} family={metrics.data?.family ?? null} onChoose={show} />
      <Loaded query={metrics} tellsLater>
        {(read) => (
          <>
            <Scope metrics={read} />
            <Charts metrics={read} />
          </>
        )}
      </Loaded>
    </>
  )
}

/** The family and the period, for print: paper does not show the choices above. */
function Scope({ metrics }: { metrics: Metrics }): ReactNode {
  const { family, families, firstDay, today, knownSince } = metrics
  const covered = coverageNow(metrics)
  return (
    <p className={styles['scope']}>
      {family === null ? (
        formatNoun(families, 'family in use', 'families in use')
      ) : (
        <Foreign>{family.name}</Foreign>
      )}{' '}
      · {formatDate(firstDay)} to {formatDate(today)}
      {knownSince === null ? '' : ` · first SBOM on ${formatDate(knownSince)}`}
      {covered === null ? '' : ` · ${covered}`}
    </p>
  )
}

function Charts({ metrics }: { metrics: Metrics }): ReactNode {
  if (metrics.knownSince === null) {
    return <Empty why="There is no SBOM yet, so there is nothing to measure." next={<SendSbom />} />
  }
  return (
    <>
      <OpenChart metrics={metrics} />
      <ExposureChart metrics={metrics} />
      <TimesChart metrics={metrics} />
      <CoverageChart metrics={metrics} />
    </>
  )
}
