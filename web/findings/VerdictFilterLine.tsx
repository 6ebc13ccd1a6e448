import { Group, NativeSelect, Text } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { verdictFilters, type VerdictFilter } from '#contract/findings/verdict.ts'
import { formatNoun } from '../kit/text/format.ts'
import { TextLink } from '../kit/text/links.tsx'
import { verdictLooks } from './verdict.ts'

const filterWords: Record<VerdictFilter, string> = {
  open: 'Open',
  undecided: 'Undecided',
  affected: verdictLooks.affected.word,
  under_investigation: verdictLooks.under_investigation.word,
  not_affected: verdictLooks.not_affected.word,
  fixed: verdictLooks.fixed.word,
  all: 'All verdicts',
}

type Props = {
  value: VerdictFilter
  onChange: (next: VerdictFilter) => void
  /** What the default filter leaves out: "1 finding declared not affected or fixed is hidden." */
  hidden: number
  /** What the list contains; "finding" by default. */
  noun?: { one: string; many: string }
  /** Link to the list that includes them. */
  allLink: LinkOptions
  /** Further filters beside it. */
  children?: ReactNode
}

const findingNoun = { one: 'finding', many: 'findings' }

/** Filters findings by verdict; says how many are hidden as not affected or fixed. */
export function VerdictFilterLine(props: Props): ReactNode {
  const { value, onChange, hidden, noun = findingNoun, allLink, children } = props
  return (
    <Group gap="4px 12px">
      {children}
      <NativeSelect
        size="xs"
        aria-label="Verdict"
        value={value}
        data={Object.entries(filterWords).map(([filter, label]) => ({ value: filter, label }))}
        onChange={(event) => {
          onChange(verdictFilters.find((filter) => filter === event.currentTarget.value) ?? 'open')
        }}
        w={180}
        styles={{ input: { fontSize: 13 } }}
      />
      {hidden === 0 ? null : (
        <Text c="dimmed" fz={13}>
          <IconEyeOff size={14} aria-hidden style={{ verticalAlign: -2, marginInlineEnd: 6 }} />
          {formatNoun(hidden, noun.one, noun.many)} declared not affected or fixed{' '}
          {hidden === 1 ? 'is' : 'are'} hidden.{' '}
          <TextLink {...allLink} underline="always">
            Show all verdicts
          </TextLink>
        </Text>
      )}
    </Group>
  )
}
