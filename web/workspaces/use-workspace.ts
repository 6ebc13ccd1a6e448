import { useSuspenseQuery } from '@tanstack/react-query'
import type { OpenWorkspace } from '#contract/workspace/operations.ts'
import { useSlug } from '../kit/api/use-slug.ts'
import { workspaceQuery } from './queries.ts'

/** The workspace whose pages are open; its route has read it before any page is drawn. */
export function useWorkspace(): OpenWorkspace {
  return useSuspenseQuery(workspaceQuery(useSlug())).data
}
