import { useQueryClient } from '@tanstack/react-query'
import type { AnswerOf } from '#contract/operation.ts'
import type { Args, Callable } from './call.ts'
import { queryOf } from './query-of.ts'

/** Refetches what a form shows, however fresh the cache is; pages that show it update. */
export function useLatest<Known extends Callable, Values>(
  known: Known,
  args: Args<Known>,
  typedOf: (answer: AnswerOf<Known>) => Values,
): () => Promise<Values> {
  const queryClient = useQueryClient()
  return async () => typedOf(await queryClient.query({ ...queryOf(known, args), staleTime: 0 }))
}
