import { Button, Center } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  /** Reads the next page; undefined when all are here or the next is on its way. */
  onMore: (() => void) | undefined
  isLoading: boolean
  children: ReactNode
}

/** Below a table that is read page by page. */
export function MoreButton({ onMore, isLoading, children }: Props): ReactNode {
  if (onMore === undefined && !isLoading) return null
  return (
    <Center mt="md">
      <Button variant="default" size="xs" loading={isLoading} onClick={onMore}>
        {children}
      </Button>
    </Center>
  )
}
