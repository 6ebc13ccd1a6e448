import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { metricsPeriods, type Metrics } from '#contract/metrics/shapes.ts'
import { present } from '../kit/address/search.ts'
import type { MetricsSearch } from './area.ts'
import styles from './MetricsPage.module.css'
import { FamilySelect } from '../families/FamilySelect.tsx'

type Props = {
  asked: MetricsSearch
  /** The family shown, in case it is archived and therefore not listed. */
  family: Metrics['family']
  onChoose: (next: MetricsSearch) => void
}

const usualPeriod = '90'

/** The family and the period; both are in the address. */
export function MetricsChoice({ asked, family, onChoose }: Props): ReactNode {
  return (
    <div className={styles['choices']}>
      <FamilySelect
        chosen={asked.family}
        shown={family}
        onChoose={(chosen) => {
          onChoose(present({ ...asked, family: chosen }))
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
