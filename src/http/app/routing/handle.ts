import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Answer, AppOperation, BodyOf, ParametersOf, QueryOf } from '../../../contract/operation.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Operation } from '../../operation.ts'
import type { OwnedBytes } from '../../../parser/owned-bytes.ts'
import { readBody } from '../../read-body.ts'
import { asAct } from './as-act.ts'
import { callerFor, ownerOf, requirePermissionFor, type CallerFor } from './caller-for.ts'
import { refuseForeignOrigin } from './own-origin.ts'
import { readJsonBody } from './read-json.ts'
import { inShare } from './request-share.ts'
import { sendAnswer, type Download, type ShownPage } from './send-answer.ts'
import { setSeenCookie } from './session-cookie.ts'
import { readParameters, readQuery } from './read-address.ts'

/** What a handler of the operation is given: who asks, and every value of the request, checked. */
export type Asked<Known extends AppOperation> = CallerFor<Known['permission']> &
  Http &
  (Known['body'] extends 'file' ? Filed : unknown) & {
    params: ParametersOf<Known>
    query: QueryOf<Known>
    body: BodyOf<Known>
  }

/** Reads the bytes that are sent, to be taken with `using`. Codes: those of `readBody`, and those of the permission, which may have been lost by the time they have arrived. */
type Filed = { readFile: (maxBytes: number) => Promise<OwnedBytes> }

type Http = { deps: HttpDeps; request: FastifyRequest; reply: FastifyReply }

type Handled<Answered> = Answered extends 'file'
  ? Promise<Download>
  : Answered extends 'page'
    ? Promise<ShownPage>
    : Answered extends Answer<infer Result>
      ? [Result] extends [undefined]
        ? Promise<void>
        : Promise<Result>
      : never

type Handler<Known extends AppOperation> = (asked: Asked<Known>) => Handled<Known['answer']>

type Contract = Readonly<Record<string, AppOperation>>

/** One handler for every operation of a file of operations (contract), under the name of the operation. */
export type Handlers<Known extends Contract> = { [Name in keyof Known]: Handler<Known[Name]> }

/** A handler whose types only `Handlers` knows. */
type AnyHandler = (asked: unknown) => Promise<unknown>

/** The parameters with which an operation looks through a whole workspace, or through all components of an SBOM. */
type SearchedBy<Known extends Contract> = {
  [Name in keyof Known]?: readonly (keyof QueryOf<Known[Name]> & string)[]
}

/** The routes of a file of operations (contract). */
export function routesOf<const Known extends Contract>(
  contract: Known,
  handlers: Handlers<Known>,
  searchedBy: SearchedBy<Known> = {},
): readonly Operation[] {
  const by: Readonly<Record<string, readonly string[] | undefined>> = searchedBy
  return Object.entries(contract).map(([name, known]) =>
    route(name, known, { handler: handlers[name] as AnyHandler, searchedBy: by[name] ?? [] }),
  )
}

type Handling = { handler: AnyHandler; searchedBy: readonly string[] }

/**
 * Checks, in this order: the origin of the request, the caller and the permission, that the workspace can be written, parameters, query, the JSON body by its schema, a
 * permission that depends on it. No body is read without permission. Codes: `invalid_request`, `forbidden`, `signed_out`,
 * `not_found`, `billing_lapsed`, and those of the handler.
 */
function route(name: string, known: AppOperation, { handler, searchedBy }: Handling): Operation {
  const { method, path, body } = known
  const schema = schemaOf(known)
  return {
    name,
    method,
    url: path,
    credential: known.permission === 'anyone' ? 'none' : 'session',
    body: body === null ? 'none' : body === 'file' ? 'raw' : 'json',
    ...(body === null || body === 'file' ? {} : { bodySchema: body }),
    ...(schema === null ? {} : { answerSchema: () => schema }),
    handler: async (deps, request, reply) => {
      refuseForeignOrigin(deps, request)
      const first = await callerFor(known, deps, request)
      const params = readParameters(known, request)
      const query = readQuery(known, request)
      const owner = ownerOf(first, request)
      const judgeAgain = judgeAfter(request, first, () => callerFor(known, deps, request))
      const body = await readJsonBody(known, { deps, request, owner })
      const caller = body === undefined ? first : await judgeAgain()
      requirePermissionFor(known, caller, body)
      const readFile = async (maxBytes: number) => {
        using held = new DisposableStack()
        const file = held.use(await readBody(request.raw, { maxBytes, bodies: deps.bodies, owner }))
        await judgeAgain()
        held.move()
        return file
      }
      const handle = (asking: typeof caller) =>
        asAct(known, deps, { request, caller: asking, body }, (acting) =>
          handler({ ...asking, params, query, body, readFile, deps: acting, request, reply }),
        )
      const judge = async () => {
        const again = await callerFor(known, deps, request)
        requirePermissionFor(known, again, body)
        return again
      }
      const isSearch = searchedBy.some((name) => query[name] !== undefined)
      const connection = request.raw.socket
      // a file arrives while it is handled, and waits for a parser
      const result = await (known.body === 'file'
        ? handle(caller)
        : inShare(deps, { caller, judge, isSearch, connection }, handle))
      if (known.method !== 'GET') await noteAct(deps, reply)
      return sendAnswer(known, { request, reply }, result)
    },
  }
}

/**
 * Checks the caller again after the body, unless all of it had arrived before the first check: holding back the rest of a body must not preserve a
 * permission that has been lost. Codes: those of `judge`.
 */
function judgeAfter<Caller>(
  { raw }: FastifyRequest,
  first: Caller,
  judge: () => Promise<Caller>,
): () => Promise<Caller> {
  const wasWhole = raw.complete
  return async () => (wasWhole ? first : judge())
}

/** What this browser reads from here on shows at least this act. */
async function noteAct(deps: HttpDeps, reply: FastifyReply): Promise<void> {
  const position = await deps.reads.position()
  if (position !== null) setSeenCookie(deps, reply, position)
}

/** Of its JSON; null: it answers none. */
function schemaOf({ answer }: AppOperation): TSchema | null {
  return answer === 'file' || answer === 'page' ? null : answer.schema
}
