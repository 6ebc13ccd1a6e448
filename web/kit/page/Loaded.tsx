import type { ReactNode } from 'react'
import { PageSkeleton } from './PageSkeleton.tsx'
import { Problem } from './Problem.tsx'

type Read<Value> = { data: Value | undefined; error: Error | null; refetch: () => unknown }

type Props<Value> = {
  query: Read<Value>
  /** While the first answer is on its way. */
  waiting?: ReactNode
  /** Above the problem when there is no answer, such as the title of a page. */
  head?: ReactNode
  /** It is also told, above what was read before, that it could not be read again. */
  tellsLater?: boolean
  children: (value: Value) => ReactNode
}

/** What was read, once it is here; until then the shape of it, or why it could not be read. */
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

/** Why something could not be read, above what is shown of it; nothing where it could. */
export function QueryProblem({ query }: { query: Omit<Read<unknown>, 'data'> }): ReactNode {
  return <Problem error={query.error} onRetry={() => void query.refetch()} />
}

/** Why something could not be read that is no page of its own, such as what a field offers; nothing once it is here. */
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
