import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount, formatNoun } from '../text/format.ts'
import { atService } from '../time/clock.ts'
import { Age } from '../time/Time.tsx'

/** A number and its unit. */
export type Counted = {
  /** undefined before the first answer. */
  count?: number | undefined
  /** The total regardless of the search. */
  of?: number | undefined
  noun: string
  nouns?: string
  /** There are more, but the count stopped here. */
  isLowerBound?: boolean
  /** The same rows in another unit: "355 vulnerabilities". */
  also?: string | undefined
}

type Props = Counted & {
  /** 0 before the first answer. */
  updatedAtMs: number
}

/** The size of a table and its age: "12 of 340 families · updated 12 s ago". */
export function TableNote(props: Props): ReactNode {
  const { count, of = count, noun, nouns, isLowerBound = false, also, updatedAtMs } = props

  if (count === undefined || of === undefined) return null
  return (
    <Group gap={6} c="dimmed" fz="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <Text inherit role="status">
        {of === count ? '' : `${formatCount(count)} of `}
        {isLowerBound
          ? `more than ${formatNoun(roundedBelow(of), noun, nouns)}`
          : formatNoun(of, noun, nouns)}
        {also === undefined ? '' : ` · ${also}`}
      </Text>
      {updatedAtMs === 0 ? null : (
        <Text inherit visibleFrom="xs">
          · updated <Age at={new Date(atService(updatedAtMs)).toISOString()} />
        </Text>
      )}
    </Group>
  )
}

/** 311 → 300: where counting stopped is not an exact number. */
function roundedBelow(count: number): number {
  return count > 100 ? Math.floor((count - 1) / 100) * 100 : count - 1
}
