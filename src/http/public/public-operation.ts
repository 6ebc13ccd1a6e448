import { Type, type Static, type TObject, type TSchema } from 'typebox'

/**
 * One operation of the public interface under /api/v1. The handler has the order of checks, so the schemas validate no request: they
 * describe it to readers of the documentation, and name what the handler may read and answer.
 */
export type PublicOperation<
  Headers extends TObject = TObject,
  Query extends TObject = TObject,
  Params extends TObject = TObject,
  Answers extends Readonly<Record<number, TSchema>> = Readonly<Record<number, TSchema>>,
> = {
  operationId: string
  method: 'GET' | 'POST' | 'DELETE'
  /** With `:name` for each parameter. */
  path: `/api/v1/${string}`
  credential: 'upload_token' | 'results_token' | 'workspace_token'
  headers: Headers
  query: Query
  params: Params
  /** By status, without the refusals. */
  answers: Answers
}

/** Everything that may be answered when nothing is refused. */
export type PublicAnswer<Known extends PublicOperation> = Static<
  Known['answers'][keyof Known['answers'] & number]
>

type Given<Known extends PublicOperation> = Omit<Known, 'headers' | 'query' | 'params'> &
  Partial<Pick<Known, 'headers' | 'query' | 'params'>>

const nothing = Type.Object({})

/** Without headers, query or parameters an operation has none. */
export function publicOperation<
  const Answers extends Readonly<Record<number, TSchema>>,
  Headers extends TObject = typeof nothing,
  Query extends TObject = typeof nothing,
  Params extends TObject = typeof nothing,
>(
  given: Given<PublicOperation<Headers, Query, Params, Answers>>,
): PublicOperation<Headers, Query, Params, Answers> {
  return {
    ...given,
    headers: given.headers ?? (nothing as TObject as Headers),
    query: given.query ?? (nothing as TObject as Query),
    params: given.params ?? (nothing as TObject as Params),
  }
}
