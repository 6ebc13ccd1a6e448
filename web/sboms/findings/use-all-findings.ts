import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FindingRow } from '#contract/findings/lists.ts'
import { findingIdsQuery, type FindingFilter } from '../../findings/queries.ts'
import { tellRefusal } from '../../kit/api/tell-refusal.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'

type AllFindings = {
  isLoading: boolean
  /** Asks for the ids of every finding that fits the filter, read or not; nothing is chosen when that is refused or given up. */
  read: (onRead: (ids: ReadonlySet<string>) => void) => void
  giveUp: () => void
  /** How many of the chosen findings are known to be exploited, among the rows that are here and those asked for. */
  exploitedAmong: (chosen: ReadonlySet<string>, rows: readonly FindingRow[]) => number
}

const none: ReadonlySet<string> = new Set()

/** For an act on all findings of an SBOM that fit a filter. */
export function useAllFindings(sbomId: string, { sort: _sort, ...filter }: FindingFilter): AllFindings {
  const { slug } = useWorkspace()
  const queryClient = useQueryClient()
  const asked = JSON.stringify([slug, sbomId, filter])
  /** What is asked for now: an answer that comes when something else is shown, or after it was given up, chooses nothing. */
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
