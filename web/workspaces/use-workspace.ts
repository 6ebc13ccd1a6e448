import { useSuspenseQuery } from '@tanstack/react-query'
import type { OpenWorkspace } from '#contract/workspace/operations.ts'
import { useSlug } from '../kit/api/use-slug.ts'
import { workspaceQuery } from './queries.ts'

/** The open workspace; its route loads it before any page renders. */
export function useWorkspace(): OpenWorkspace {
  return useSuspenseQuery(workspaceQuery(useSlug())).data
}
