import { Button, Center } from '@mantine/core'
import type { ReactNode } from 'react'

type Props = {
  /** Loads the next page; undefined if everything is loaded or loading. */
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
