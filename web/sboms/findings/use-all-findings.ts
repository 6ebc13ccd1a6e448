import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FindingRow } from '#contract/findings/lists.ts'
import { findingIdsQuery, type FindingFilter } from '../../findings/queries.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'

type AllFindings = {
  isLoading: boolean
  /** Asks for the ids of every finding that fits the filter, read or not. */
  read: () => Promise<ReadonlySet<string>>
  /** How many of the chosen findings are known to be exploited, among the rows that are here and those asked for. */
  exploitedAmong: (chosen: ReadonlySet<string>, rows: readonly FindingRow[]) => number
}

const none: ReadonlySet<string> = new Set()

/** For an act on all findings of an SBOM that fit a filter. */
export function useAllFindings(sbomId: string, { sort: _sort, ...filter }: FindingFilter): AllFindings {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const [isLoading, setLoading] = useState(false)
  const [exploited, setExploited] = useState(none)

  async function read(): Promise<ReadonlySet<string>> {
    setLoading(true)
    try {
      const found = await queryClient.query(findingIdsQuery(slug, sbomId, filter))
      setExploited(new Set(found.exploited))
      return new Set(found.ids)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      notifications.show({ message: `The findings could not be selected. ${reason}`, color: 'red.9' })
      return none
    } finally {
      setLoading(false)
    }
  }

  return {
    isLoading,
    read,
    exploitedAmong: (chosen, rows) => {
      const known = new Set(exploited)
      for (const { id, exploitedBy } of rows) if (exploitedBy.length > 0) known.add(id)
      return [...chosen].filter((id) => known.has(id)).length
    },
  }
}
