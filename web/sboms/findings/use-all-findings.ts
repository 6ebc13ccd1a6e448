import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FindingRow } from '#contract/findings/lists.ts'
import { findingIdsQuery, type FindingFilter } from '../../findings/queries.ts'
import { tellRefusal } from '../../kit/api/tell-refusal.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'

type AllFindings = {
  isLoading: boolean
  /** Loads the ids of every matching finding, loaded or not; on failure or cancellation nothing is selected. */
  read: (onRead: (ids: ReadonlySet<string>) => void) => void
  giveUp: () => void
  /** How many selected findings are known to be exploited, among loaded rows and loaded ids. */
  exploitedAmong: (chosen: ReadonlySet<string>, rows: readonly FindingRow[]) => number
}

const none: ReadonlySet<string> = new Set()

/** Selects all findings of an SBOM that match a filter. */
export function useAllFindings(sbomId: string, { sort: _sort, ...filter }: FindingFilter): AllFindings {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const asked = JSON.stringify([slug, sbomId, filter])
  /** The current request: an answer that arrives after the list changed, or after cancellation, is ignored. */
  const wanted = useRef<string>(undefined)
  const [loading, setLoading] = useState<string>()
  const [exploited, setExploited] = useState(none)

  useEffect(
    () => () => {
      wanted.current = undefined
    },
    [asked],
  )

  async function read(onRead: (ids: ReadonlySet<string>) => void): Promise<void> {
    wanted.current = asked
    setLoading(asked)
    try {
      const found = await queryClient.query(findingIdsQuery(slug, sbomId, filter))
      if (wanted.current !== asked) return
      setExploited(new Set(found.exploited))
      onRead(new Set(found.ids))
    } catch (error) {
      if (wanted.current === asked) tellRefusal(error)
    } finally {
      setLoading((now) => (now === asked ? undefined : now))
    }
  }

  return {
    isLoading: loading === asked,
    read: (onRead) => {
      void read(onRead)
    },
    giveUp: () => {
      wanted.current = undefined
      setLoading(undefined)
    },
    exploitedAmong: (chosen, rows) => {
      const known = new Set(exploited)
      for (const { id, exploitedBy } of rows) if (exploitedBy.length > 0) known.add(id)
      return [...chosen].filter((id) => known.has(id)).length
    },
  }
}
