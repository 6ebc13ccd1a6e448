import type { QueryClient } from '@tanstack/react-query'
import { workspaceKey } from './query-of.ts'

const looksAfterMs = [1_500, 5_000, 12_000]

/** Refetches a few times: after an upload or a withdrawal, a job updates the findings. */
export function refreshWhileSettling(queryClient: QueryClient, slug: string): void {
  for (const afterMs of looksAfterMs) {
    window.setTimeout(() => {
      void queryClient.invalidateQueries({ queryKey: workspaceKey(slug) })
    }, afterMs)
  }
}
