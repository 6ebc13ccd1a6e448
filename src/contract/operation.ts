import type { Static, TObject, TSchema } from 'typebox'
import type { Permission } from './roles.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * What a caller must be. A permission implies a member of the workspace in the path; the caller of `any_member` need not have one,
 * of `signed_in` needs no workspace, and of `anyone` no session.
 */
type Access = Permission | 'any_member' | 'signed_in' | 'anyone'

/** Several permissions: any of them suffices to reach the handler, which decides which one counts. A function: it depends on the body. */
type Need<Body> = Access | readonly Permission[] | ((body: Body) => Permission)

/**
 * How a value of the query is read: any text, an id (a UUID), an id or the word `none`, a number from 1 on, or one of some words.
 */
export type QueryKind = 'text' | 'id' | 'id_or_none' | 'number' | readonly string[]
export type QueryShape = Readonly<Record<string, QueryKind>>

/** JSON of this schema; `file`: the bytes as they are; null: none. */
type BodyShape = TObject | 'file' | null

/** The maximum size of a JSON body, unless the operation says more: of members, and of strangers. */
const usualBodyBytes = { members: 64 * 1024, anyone: 16 * 1024 }

/**
 * What is answered when nothing is refused: its status and the schema of the JSON, null for none. `result` is the type that the schema
 * describes; it has no value at run time.
 */
export type Answer<Result> = { status: 200 | 201 | 204; schema: TSchema | null; result?: Result }

/** What is not JSON. `file`: a download. `page`: HTML that a browser shows. */
type Document = 'file' | 'page'

/** JSON of this schema; 201 when something was created. */
export function answer<Schema extends TSchema>(
  schema: Schema,
  status: 200 | 201 = 200,
): Answer<Static<Schema>> {
  return { status, schema }
}

/** 204. */
export const nothing: Answer<undefined> = { status: 204, schema: null }

/** The names in a path template: `/sboms/:sbom/compare/:other` → `sbom` and `other`. */
type ParameterName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** One operation of the application's own interface: the server routes it, the pages call it, both with these types. */
export type AppOperation<
  Path extends string = string,
  Needed = Access | readonly Permission[] | ((body: never) => Permission),
  Query extends QueryShape = QueryShape,
  Body extends BodyShape = BodyShape,
  Answered extends Answer<unknown> | Document = Answer<unknown> | Document,
> = {
  method: Method
  /** The whole path, with `:name` for each parameter. */
  path: Path
  permission: Needed
  /** Where the permission depends on the body: callers without any of these are refused before the body is read. */
  permissionAmong: readonly Permission[]
  /** Parameters of the path, besides `slug`, that are not ids. */
  textParameters: readonly string[]
  query: Query
  body: Body
  /** The maximum size of a JSON body. */
  bodyBytes: number
  answer: Answered
  /** It works in a workspace that is read-only; `until_closed`: but not in one that is closed. Reading always does. */
  worksReadOnly: boolean | 'until_closed'
  /** A closed workspace is shown only to its owners, except where the frame of its pages tells that to everybody else. */
  ownersOnlyWhenClosed: boolean
  /** Nobody may do this at somebody else's open screen: the person must have confirmed their identity within ten minutes. */
  isDangerous: boolean
  /** The answer holds a secret, which is shown once and stored nowhere as it is. */
  answersSecret: boolean
}

export type ParametersOf<Operation extends AppOperation> = Record<ParameterName<Operation['path']>, string>

type QueryValue<Kind> = Kind extends readonly (infer Word)[] ? Word : Kind extends 'number' ? number : string
export type QueryOf<Operation extends AppOperation> = {
  [Name in keyof Operation['query']]?: QueryValue<Operation['query'][Name]> | undefined
}

type StaticBody<Body> = Body extends TObject ? Static<Body> : undefined
/** The JSON that is sent; undefined when there is none. */
export type BodyOf<Operation extends AppOperation> = StaticBody<Operation['body']>

/** The JSON that is answered; undefined for 204. */
export type AnswerOf<Operation extends AppOperation> = ResultOf<Operation['answer']>
type ResultOf<Answered> = Answered extends Answer<infer Result> ? Result : never

const base = '/api/app'
const noQuery = {} as const

type Given<Path extends string, Needed, Query, Body, Answered> = {
  method: AppOperation['method']
  /** Below /api/app. */
  path: Path
  permission: Needed
  textParameters?: readonly ParameterName<Path>[]
  query?: Query
  body?: Body
  bodyBytes?: number
  permissionAmong?: readonly Permission[]
  answer: Answered
  worksReadOnly?: true | 'until_closed'
  ownersOnlyWhenClosed?: false
  isDangerous?: true
  answersSecret?: true
}

/**
 * A row of the application's own interface under /api/app: what the pages read and send. It needs a session cookie, is not public
 * and may change with any release. Times are ISO 8601 UTC with milliseconds; errors have the public shape.
 */
export function operation<
  const Path extends string,
  const Needed extends Need<StaticBody<NoInfer<Body>>>,
  Answered extends Answer<unknown> | Document,
  const Query extends QueryShape = typeof noQuery,
  Body extends BodyShape = null,
>(
  given: Given<Path, Needed, Query, Body, Answered>,
): AppOperation<`${typeof base}${Path}`, Needed, Query, Body, Answered> {
  return {
    method: given.method,
    path: `${base}${given.path}`,
    permission: given.permission,
    permissionAmong: given.permissionAmong ?? [],
    textParameters: given.textParameters ?? [],
    query: given.query ?? (noQuery as Query),
    body: given.body ?? (null as Body),
    bodyBytes: given.bodyBytes ?? usualBodyBytes[given.permission === 'anyone' ? 'anyone' : 'members'],
    answer: given.answer,
    worksReadOnly: given.worksReadOnly ?? given.method === 'GET',
    ownersOnlyWhenClosed: given.ownersOnlyWhenClosed ?? true,
    isDangerous: given.isDangerous ?? false,
    answersSecret: given.answersSecret ?? false,
  }
}
