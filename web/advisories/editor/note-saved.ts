import type { QueryClient } from '@tanstack/react-query'
import type { AdvisoryDraft } from '#contract/advisories/shapes.ts'
import { advisoryQuery } from '../queries.ts'

/** A saved revision of a draft and its content. */
export type Saved = Pick<AdvisoryDraft, 'revision' | 'content'>

/**
 * Puts what was just saved into the cache, so that publishing right after a save publishes exactly that. Requests started before the save
 * are cancelled.
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
    // an approval does not cover the new revision
    return { ...before, draft: { ...draft, ...saved, state: 'draft' as const, isOwn: true } }
  })
}
