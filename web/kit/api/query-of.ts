import { infiniteQueryOptions, queryOptions, type QueryKey } from '@tanstack/react-query'
import type { Page } from '#contract/page.ts'
import type { Answer, AnswerOf, AppOperation } from '#contract/operation.ts'
import { call, type Args, type Callable } from './call.ts'

/** Everything of one workspace starts with this key, so that an act can refresh it all. */
export function workspaceKey(slug: string): string[] {
  return ['workspace', slug]
}

/** The key of one operation with one set of values, below that of its workspace if it has one. */
export function keyOf<Known extends AppOperation>(known: Known, args: Args<Known>): QueryKey {
  const { params, ...values }: { params?: Readonly<Record<string, string>> | undefined } = args
  const { slug, ...others } = params ?? {}
  return [...(slug === undefined ? [] : workspaceKey(slug)), known.path, others, values]
}

/** What useQuery takes for an operation that reads. */
export function queryOf<Known extends Callable>(known: Known, args: Args<Known>) {
  return queryOptions({
    queryKey: keyOf(known, args),
    queryFn: ({ signal }) => call(known, args, signal),
  })
}

/** An operation that lists page by page. */
type Paged = AppOperation & { query: { cursor: 'text' }; answer: Answer<Page<unknown>> }

/** What useInfiniteQuery takes for an operation that lists page by page. */
export function pagesOf<Known extends Paged>(known: Known, args: Args<Known>) {
  return infiniteQueryOptions({
    queryKey: keyOf(known, args),
    queryFn: ({ signal, pageParam }) =>
      call(known, { ...args, query: { ...args.query, cursor: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: AnswerOf<Known>) => page.nextCursor ?? undefined,
  })
}
