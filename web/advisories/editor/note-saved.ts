import type { QueryClient } from '@tanstack/react-query'
import type { AdvisoryDraft } from '#contract/advisories/shapes.ts'
import { advisoryQuery } from '../queries.ts'

/** A revision of a draft with what it says. */
export type Saved = Pick<AdvisoryDraft, 'revision' | 'content'>

/**
 * The page goes by what was just saved, before it has read the advisory again: who publishes at once, publishes that. A reading that began
 * before the save knows less, and is given up.
 */
export async function noteSaved(
  queryClient: QueryClient,
  { slug, advisory }: { slug: string; advisory: string },
  saved: Saved,
): Promise<void> {
  const { queryKey } = advisoryQuery(slug, advisory)
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, (before) => {
    const draft = before?.draft
    if (before === undefined || draft === null || draft === undefined || draft.revision >= saved.revision)
      return before
    // whatever was approved is to be looked at again
    return { ...before, draft: { ...draft, ...saved, state: 'draft' as const, isOwn: true } }
  })
}
