import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type Props = {
  /** Index of the first entry shown, page size and total. */
  from: number
  size: number
  total: number
  onFrom: (from: number) => void
}

/** Pages through a list of versions; renders nothing when the whole list fits on one page. */
export function VersionPages({ from, size, total, onFrom }: Props): ReactNode {
  if (total <= size) return null
  const to = Math.min(from + size, total)
  return (
    <Group gap={6} wrap="nowrap" role="navigation" aria-label="Pages of versions">
      <ActionIcon
        variant="default"
        size="sm"
        aria-label="Earlier versions"
        disabled={from === 0}
        onClick={() => {
          onFrom(Math.max(0, from - size))
        }}
      >
        <IconChevronLeft size={14} />
      </ActionIcon>
      <Text size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {`${from + 1}–${to} of ${total} versions`}
      </Text>
      <ActionIcon
        variant="default"
        size="sm"
        aria-label="Later versions"
        disabled={to === total}
        onClick={() => {
          onFrom(from + size)
        }}
      >
        <IconChevronRight size={14} />
      </ActionIcon>
    </Group>
  )
}

/** Start of the page to show in a list that may have become shorter. */
export function pageOf(from: number, { size, total }: { size: number; total: number }): number {
  return from < total ? from : Math.max(0, Math.floor((total - 1) / size) * size)
}
