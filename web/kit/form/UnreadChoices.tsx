import { Button, Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  /** What is to be chosen from, as in "The families could not be loaded." */
  choices: string
}

/** Beside a choice in a row of filters, where there is no room for more: that what it offers could not be read. */
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
