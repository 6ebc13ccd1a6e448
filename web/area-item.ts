import type { TablerIcon } from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import type { OpenWorkspace } from '#contract/workspace/operations.ts'

/** How a subject is reached from the sidebar; its area exports it as `item`. */
export type AreaItem = {
  name: string
  Icon: TablerIcon
  link: (slug: string) => LinkOptions
  /** The first part of the addresses below it; '' is the workspace's own page. */
  rooms: readonly string[]
  /** How much of it somebody must do; nothing is shown for 0. */
  todo?: (workspace: Pick<OpenWorkspace, 'incidents' | 'inbox'>) => { count: number; words: string }
}
