import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { OpenWorkspace } from '#contract/workspace/operations.ts'
import { workspaceQuery } from '../kit/api/queries.ts'

/** The workspace whose pages are open; its route has read it before any page is drawn. */
export function useWorkspace(): OpenWorkspace {
  const { slug } = useParams({ from: '/signed-in/$slug' })
  return useSuspenseQuery(workspaceQuery(slug)).data
}
