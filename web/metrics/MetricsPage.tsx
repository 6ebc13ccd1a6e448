import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Metrics } from '#contract/metrics/shapes.ts'
import { metricsQuery } from './queries.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import type { MetricsSearch } from './paths.ts'
import { pages } from '../paths.ts'
import { Empty } from '../kit/page/Empty.tsx'
import { PageHeader } from '../kit/page/PageHeader.tsx'
import { PageSkeleton } from '../kit/page/PageSkeleton.tsx'
import { Problem } from '../kit/page/Problem.tsx'
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
import { filterStep } from '../kit/address/filter-step.ts'

/** How the products did over time: all families together, or one. */
export default function MetricsPage(): ReactNode {
  const { slug } = useWorkspace()
  const asked = useSearch({ from: '/signed-in/$slug/metrics' })
  const navigate = useNavigate()
  const metrics = useQuery(metricsQuery(slug, asked))

  function show(next: MetricsSearch): void {
    void navigate({ ...pages.metrics(slug, next), ...filterStep(asked, next) })
  }

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
      {metrics.error === null ? null : (
        <Problem
          error={metrics.error}
          onRetry={() => {
            void metrics.refetch()
          }}
        />
      )}
      {metrics.data === undefined ? null : <Scope metrics={metrics.data} />}
      {metrics.data === undefined && metrics.error === null ? <PageSkeleton /> : null}
      {metrics.data === undefined ? null : <Charts metrics={metrics.data} />}
    </>
  )
}

/** Whose metrics these are, and the days: paper does not show the choices above. */
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
