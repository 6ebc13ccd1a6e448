import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ReportSummary } from '#contract/incidents/shapes.ts'
import { weekendDay } from './weekend-day.ts'

type Props = { report: ReportSummary; timeZone: string }

/**
 * Delegated Regulation (EU) 2025/301, Art. 5(4) to (6): a limit on a weekend or a bank holiday may be met later. It is shown but never
 * applied, because it depends on the kind of entity and the holidays of its Member State.
 */
export function WeekendRule({ report: { regime, report, dueAt, submittedAt }, timeZone }: Props): ReactNode {
  if (regime !== 'dora' || dueAt === null || submittedAt !== null) return null
  const day = weekendDay(dueAt, timeZone)
  return (
    <Text fz={13} mb="sm">
      {day === undefined
        ? 'If this were due on a weekend or a bank holiday'
        : `This is due on a ${day}. On a weekend or a bank holiday`}{' '}
      of your Member State, it may be filed by noon of the next working day (Delegated Regulation (EU)
      2025/301, Art. 5(4)).{' '}
      {report === 'final_report'
        ? 'For the final report, this applies to all financial entities.'
        : 'This does not apply to credit institutions, central counterparties, operators of trading venues, and essential or important entities under NIS 2 (Art. 5(5)); an authority can withdraw it for others (Art. 5(6)).'}{' '}
      The deadline shown here stays as it is.
    </Text>
  )
}
