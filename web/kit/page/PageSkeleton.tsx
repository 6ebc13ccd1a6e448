import { Group, Skeleton, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** A page skeleton until the first answer: title, facts, content. */
export function PageSkeleton(): ReactNode {
  return (
    <Stack gap="lg" role="status" aria-label="Loading">
      <Skeleton height={28} width="min(100%, 320px)" />
      <Group gap="xl">
        <Skeleton height={34} width={96} />
        <Skeleton height={34} width={96} />
        <Skeleton height={34} width={96} />
      </Group>
      <Skeleton height={216} />
    </Stack>
  )
}
