import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { verdictFilters, type VerdictFilter } from '../../../src/contract/verdict.ts'
import { verdictLooks } from '../../ui/verdict.ts'

const filterWords: Record<VerdictFilter, string> = {
  open: 'Open findings',
  undecided: 'Undecided',
  affected: verdictLooks.affected.word,
  under_investigation: verdictLooks.under_investigation.word,
  not_affected: verdictLooks.not_affected.word,
  fixed: verdictLooks.fixed.word,
  all: 'All verdicts',
}

type Props = { value: VerdictFilter; onChange: (next: VerdictFilter) => void }

/** Which findings are listed by their verdict; those declared not affected or fixed are not, unless asked for. */
export function VerdictFilterField({ value, onChange }: Props): ReactNode {
  return (
    <NativeSelect
      size="xs"
      aria-label="Verdict"
      value={value}
      data={Object.entries(filterWords).map(([filter, label]) => ({ value: filter, label }))}
      onChange={(event) => {
        onChange(verdictFilters.find((filter) => filter === event.currentTarget.value) ?? 'open')
      }}
      styles={{ input: { fontSize: 13 } }}
    />
  )
}
