import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  /** The choices, as in "The families could not be loaded." */
  choices: string
}

/** Shown beside a choice in a row of filters: its options could not be loaded. */
export function UnreadChoices({ query, choices }: Props): ReactNode {
  if (query.data !== undefined || query.error === null) return null
  return (
    <Group gap={4} role="alert" wrap="nowrap">
      <Text size="xs" c="dimmed">
        The {choices} could not be loaded.
      </Text>
      <Button size="compact-xs" variant="subtle" onClick={() => void query.refetch()}>
        Try again
      </Button>
    </Group>
  )
}
