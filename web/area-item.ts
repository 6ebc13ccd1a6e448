import type { TablerIcon } from '@tabler/icons-react'
import type { LinkOptions } from '@tanstack/react-router'
import type { OpenWorkspace } from '#contract/workspace/operations.ts'

/** A sidebar entry; each area exports its own as `item`. */
export type AreaItem = {
  name: string
  Icon: TablerIcon
  link: (slug: string) => LinkOptions
  /** First path segments below it; '' is the workspace's own page. */
  rooms: readonly string[]
  /** Number of open tasks; 0 shows nothing. */
  todo?: (workspace: Pick<OpenWorkspace, 'incidents' | 'inbox'>) => { count: number; words: string }
}
