import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatCount, formatNoun } from '../text/format.ts'
import { Age } from '../text/Time.tsx'

type Props = {
  /** undefined before the first answer. */
  count: number | undefined
  /** How many there are whatever is searched for. */
  of?: number | undefined
  noun: string
  nouns?: string
  /** What the same rows are in another unit: "355 vulnerabilities". */
  also?: string | undefined
  /** 0 before the first answer. */
  updatedAtMs: number
}

/** What a table holds and how fresh it is: "12 of 340 families · updated 12 s ago". */
export function TableNote({ count, of = count, noun, nouns, also, updatedAtMs }: Props): ReactNode {
  if (count === undefined || of === undefined) return null
  return (
    <Group gap={6} c="dimmed" fz="xs" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <Text inherit role="status">
        {of === count ? '' : `${formatCount(count)} of `}
        {formatNoun(of, noun, nouns)}
        {also === undefined ? '' : ` · ${also}`}
      </Text>
      {updatedAtMs === 0 ? null : (
        <Text inherit visibleFrom="xs">
          · updated <Age at={new Date(updatedAtMs).toISOString()} />
        </Text>
      )}
    </Group>
  )
}
