import type { QueryClient } from '@tanstack/react-query'
import { workspaceKey } from './query-of.ts'

const looksAfterMs = [1_500, 5_000, 12_000]

/** Looks again a few times: what an upload or a withdrawal changes is worked out by a job right after the answer. */
export function refreshWhileSettling(queryClient: QueryClient, slug: string): void {
  for (const afterMs of looksAfterMs) {
    window.setTimeout(() => {
      void queryClient.invalidateQueries({ queryKey: workspaceKey(slug) })
    }, afterMs)
  }
}
