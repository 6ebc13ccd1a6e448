import type { Answer, AnswerOf, AppOperation, BodyOf, ParametersOf, QueryOf } from '#contract/operation.ts'
import { request } from './request.ts'

/** Arguments of an operation: path parameters, query and body, each only where it has some. */
export type Args<Known extends AppOperation> = Part<'params', ParametersOf<Known>> &
  OptionalPart<'query', QueryOf<Known>> &
  Part<'body', BodyOf<Known>>

type Part<Name extends string, Value> = [keyof Value] extends [never]
  ? { [Key in Name]?: undefined }
  : { [Key in Name]: Value }
type OptionalPart<Name extends string, Value> = [keyof Value] extends [never]
  ? { [Key in Name]?: undefined }
  : { [Key in Name]?: Value }

type AnyArgs = {
  params?: Readonly<Record<string, string>> | undefined
  query?: Readonly<Record<string, string | number | undefined>> | undefined
  body?: unknown
}

/** An operation that answers with JSON or nothing, not with a file. */
export type Callable = AppOperation & { answer: Answer<unknown> }

/** The URL of a call, with its path parameters and query. */
export function addressOf<Known extends AppOperation>(known: Known, args: Args<Known>): string {
  const { params = {}, query = {} }: AnyArgs = args
  const path = known.path.replaceAll(/:(\w+)/g, (_parameter, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  )
  const values = new URLSearchParams()
  for (const name of Object.keys(known.query)) {
    const value = query[name]
    if (value !== undefined) values.set(name, String(value))
  }
  return values.size === 0 ? path : `${path}?${values.toString()}`
}

/** Calls an operation of the application's interface; the answer has the operation's type. */
export function call<Known extends Callable>(
  known: Known,
  args: Args<Known>,
  signal?: AbortSignal,
): Promise<AnswerOf<Known>> {
  const { body }: AnyArgs = args
  return request<AnswerOf<Known>>(addressOf(known, args), {
    method: known.method,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  })
}
