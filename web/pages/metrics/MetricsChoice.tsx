import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visibleText } from '../../../src/contract/hidden-characters.ts'
import { metricsPeriods, type Metrics } from '../../../src/contract/metrics/metrics.ts'
import { familyNamesQuery } from '../../api/queries.ts'
import { useWorkspace } from '../../frame/use-workspace.ts'
import { present, type MetricsSearch } from '../../page-search.ts'
import styles from './MetricsPage.module.css'

type Props = {
  asked: MetricsSearch
  /** The one that is shown: an archived one is not among the others. */
  family: Metrics['family']
  onChoose: (next: MetricsSearch) => void
}

const usualPeriod = '90'

/** Whose metrics, and over which days; both are in the address. */
export function MetricsChoice({ asked, family, onChoose }: Props): ReactNode {
  const { slug } = useWorkspace()
  const named = useQuery(familyNamesQuery(slug)).data ?? []
  const families = family === null || named.some(({ id }) => id === family.id) ? named : [family, ...named]
  return (
    <div className={styles['choices']}>
      <NativeSelect
        size="xs"
        aria-label="Product family"
        value={asked.family ?? ''}
        data={[
          { value: '', label: 'All families' },
          ...families.map(({ id, name }) => ({ value: id, label: visibleText(name) })),
        ]}
        onChange={(event) => {
          const chosen = event.currentTarget.value
          onChoose(present({ ...asked, family: chosen === '' ? undefined : chosen }))
        }}
      />
      <NativeSelect
        size="xs"
        aria-label="Period"
        value={asked.days ?? usualPeriod}
        data={metricsPeriods.map((days) => ({ value: days, label: `${days} days` }))}
        onChange={(event) => {
          const chosen = metricsPeriods.find((days) => days === event.currentTarget.value)
          onChoose(present({ ...asked, days: chosen === usualPeriod ? undefined : chosen }))
        }}
      />
    </div>
  )
}
