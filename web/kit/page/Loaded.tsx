import type { ReactNode } from 'react'
import { PageSkeleton } from './PageSkeleton.tsx'
import { Problem } from './Problem.tsx'

type Read<Value> = { data: Value | undefined; error: Error | null; refetch: () => unknown }

type Props<Value> = {
  query: Read<Value>
  /** While the first answer is on its way. */
  waiting?: ReactNode
  /** Shown above the problem if there is no answer, such as the title of a page. */
  head?: ReactNode
  /** Also says, above the old data, that a refetch failed. */
  tellsLater?: boolean
  children: (value: Value) => ReactNode
}

/** Shows the data once loaded; until then a skeleton, or why it could not be loaded. */
export function Loaded<Value>(props: Props<Value>): ReactNode {
  const { query, waiting = <PageSkeleton />, head, tellsLater = false, children } = props
  const { data, error } = query
  if (data === undefined && error === null) return waiting
  if (data !== undefined && !tellsLater) return children(data)
  return (
    <>
      {data === undefined && head}
      <QueryProblem query={query} />
      {data !== undefined && children(data)}
    </>
  )
}

/** Why something could not be loaded, above what is shown of it; nothing otherwise. */
export function QueryProblem({ query }: { query: Omit<Read<unknown>, 'data'> }): ReactNode {
  return <Problem error={query.error} onRetry={() => void query.refetch()} />
}

/** It failed and nothing is known from before: its table would look as if it were still being read. */
export function isMissing({ error, data }: { error: Error | null; data: unknown }): boolean {
  return error !== null && data === undefined
}

/** Why a part of a page, such as the options of a field, could not be loaded; nothing once it is loaded. */
export function Unread({ query }: { query: Read<unknown> }): ReactNode {
  return query.data === undefined ? <QueryProblem query={query} /> : null
}

/** Two answers; neither is shown without the other. */
export function both<One, Other>(one: Read<One>, other: Read<Other>): Read<[One, Other]> {
  return {
    data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
    error: one.error ?? other.error,
    refetch: () => {
      one.refetch()
      other.refetch()
    },
  }
}
