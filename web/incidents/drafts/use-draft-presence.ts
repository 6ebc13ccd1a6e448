import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { DraftPresence } from '#contract/incidents/report-drafts.ts'
import { showDraftPresence } from '#contract/incidents/report-operations.ts'
import { reportingRefusal } from '../../workspaces/access.ts'
import { call } from '../../kit/api/call.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import type { DraftKey } from '../queries.ts'

const aloneMs = 10_000
const togetherMs = 4_000
/** After a longer pause a person no longer counts as writing. */
const writingMs = 30_000

type Watching = {
  /** When something was last typed, in ms. */
  typedAt: () => number
  /** The revision shown. */
  revision: number
  onNewer: () => void
}

/** Who else has the draft open; reloads it when somebody has saved. */
export function useDraftPresence(place: DraftKey, watching: Watching): DraftPresence['others'] {
  const workspace = useWorkspace()
  const mayWrite = reportingRefusal(workspace, showDraftPresence.permission) === undefined
  const { revision, onNewer } = watching
  const presence = useQuery({
    queryKey: ['draft-presence', place.slug, place.incident, place.report],
    queryFn: ({ signal }) => {
      const isWriting = Date.now() - watching.typedAt() < writingMs
      return call(showDraftPresence, { params: place, body: { isWriting } }, signal)
    },
    enabled: mayWrite,
    refetchInterval: ({ state }) => ((state.data?.others.length ?? 0) > 0 ? togetherMs : aloneMs),
    gcTime: 0,
    retry: false,
  })
  const newest = presence.data?.revision ?? 0
  useEffect(() => {
    if (newest > revision) onNewer()
    // told once for each newer state
    // oxlint-disable-next-line react/exhaustive-deps
  }, [newest])
  return presence.data?.others ?? []
}
