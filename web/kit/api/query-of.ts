import { infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query'
import type { Page } from '#contract/page.ts'
import type { Answer, AnswerOf, AppOperation } from '#contract/operation.ts'
import { call, type Args, type Callable } from './call.ts'

/** All queries of one workspace share this key prefix, so that an act can refresh them all. */
export function workspaceKey(slug: string): string[] {
  return ['workspace', slug]
}

/** The key of an operation with its arguments, below that of its workspace if it has one. */
export function keyOf<Known extends AppOperation>(known: Known, args: Args<Known>): QueryKey {
  const { params, ...values }: { params?: Readonly<Record<string, string>> | undefined } = args
  const { slug, ...others } = params ?? {}
  return [...(slug === undefined ? [] : workspaceKey(slug)), known.path, others, values]
}

/** Options of useQuery for a reading operation. */
export function queryOf<Known extends Callable>(known: Known, args: Args<Known>) {
  return queryOptions({
    queryKey: keyOf(known, args),
    queryFn: ({ signal }) => call(known, args, signal),
  })
}

/** An operation that is paged. */
type Paged = AppOperation & { query: { cursor: 'text' }; answer: Answer<Page<unknown>> }

/** Options of useInfiniteQuery for a paged operation. */
export function pagesOf<Known extends Paged>(known: Known, args: Args<Known>) {
  return infiniteQueryOptions({
    queryKey: keyOf(known, args),
    queryFn: ({ signal, pageParam }) =>
      call(known, { ...args, query: { ...args.query, cursor: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: AnswerOf<Known>) => page.nextCursor ?? undefined,
  })
}
