import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { Destination, NewDestination } from '../alerts/shapes.ts'
import { limits } from '../limits.ts'
import { publicPaths } from './public-paths.ts'
import { SbomResult, worstFindings } from '../sbom/result.ts'
import { SbomReceipt, uploadSources } from '../sbom/shapes.ts'
import { VexReceipt } from '../vex/shapes.ts'

/**
 * One operation of the public interface under /api/v1. The order of checks belongs to its handler, so the schemas judge no request: they
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

function publicOperation<
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

const sbomVersion = `Product version that the SBOM describes. Longer than ${limits.versionCharacters} characters: cut. Blank: as if absent.`

export const uploadSbom = publicOperation({
  operationId: 'uploadSbom',
  method: 'POST',
  path: publicPaths.sboms,
  credential: 'upload_token',
  headers: Type.Object({
    'Content-Encoding': Type.Optional(
      Type.Enum(['gzip', 'x-gzip', 'identity'], { description: 'How the body is compressed.' }),
    ),
    'X-Service-Version': Type.Optional(
      Type.String({
        description: `${sbomVersion} Overrides the query parameter and the version in the document.`,
      }),
    ),
    'X-Service-Source': Type.Optional(
      Type.Enum([...uploadSources], { description: 'What sends the SBOM. Anything else shows as API.' }),
    ),
    'X-Service-Commit': Type.Optional(
      Type.String({ description: `Commit, truncated to ${limits.commitCharacters} characters.` }),
    ),
    'X-Service-Branch': Type.Optional(
      Type.String({
        description: `Branch, truncated to ${limits.branchCharacters}; a leading refs/heads/ is removed.`,
      }),
    ),
    'X-Service-Repo': Type.Optional(
      Type.String({
        description: `Repository name, truncated to ${limits.repositoryCharacters} characters.`,
      }),
    ),
    'X-Service-Run-Url': Type.Optional(
      Type.String({
        description: `Link to the CI run, http or https; ignored when longer than ${limits.runUrlCharacters} characters.`,
      }),
    ),
  }),
  query: Type.Object({
    version: Type.Optional(
      Type.String({ description: `${sbomVersion} Overrides the version in the document.` }),
    ),
  }),
  answers: { 200: SbomReceipt, 202: SbomReceipt },
})

export const getSbomResult = publicOperation({
  operationId: 'getSbomResult',
  method: 'GET',
  path: `${publicPaths.sboms}/:id`,
  credential: 'results_token',
  params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The `id` of the upload answer.' }) }),
  query: Type.Object({
    wait: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Seconds to hold the answer until the status is `matched` or `failed`. More than 30 counts as 30.',
      }),
    ),
    worst: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: `How many findings \`worst\` has at most; ${worstFindings.default} by default. More than ${worstFindings.most} counts as ${worstFindings.most}. An addition.`,
      }),
    ),
  }),
  answers: { 200: SbomResult },
})

const vexVersion = `Product version that the document holds for. Longer than ${limits.versionCharacters} characters: cut. Absent or blank: it holds for every version of the family.`

export const uploadVex = publicOperation({
  operationId: 'uploadVex',
  method: 'POST',
  path: publicPaths.vex,
  credential: 'upload_token',
  headers: Type.Object({
    'Content-Encoding': Type.Optional(
      Type.Enum(['gzip', 'x-gzip', 'zstd', 'identity'], { description: 'How the body is compressed.' }),
    ),
    'X-Service-Version': Type.Optional(
      Type.String({ description: `${vexVersion} Overrides the query parameter.` }),
    ),
    'X-Service-Source': Type.Optional(
      Type.Enum([...uploadSources], { description: 'What sends the document. Anything else counts as API.' }),
    ),
  }),
  query: Type.Object({ version: Type.Optional(Type.String({ description: vexVersion })) }),
  answers: { 200: VexReceipt, 202: VexReceipt },
})

const group = Type.String({ description: 'Group of the notification, without the GROUP_ of version 5.' })
const message = Type.String({ description: 'English text.' })

const ConnectorTest = Type.Object({ test: Type.Literal(true), group, message }, { title: 'ConnectorTest' })
const ConnectorIgnored = Type.Object(
  { ignored: Type.Literal(true), group, message },
  { title: 'ConnectorIgnored' },
)

export const receiveDependencyTrack = publicOperation({
  operationId: 'receiveDependencyTrack',
  method: 'POST',
  path: publicPaths.dependencyTrack,
  credential: 'upload_token',
  answers: {
    200: Type.Union([SbomReceipt, ConnectorTest]),
    202: Type.Union([SbomReceipt, ConnectorIgnored]),
  },
})

export const listAlertDestinations = publicOperation({
  operationId: 'listAlertDestinations',
  method: 'GET',
  path: publicPaths.alertDestinations,
  credential: 'workspace_token',
  answers: {
    200: Type.Object({ destinations: Type.Array(Destination) }, { title: 'AlertDestinations' }),
  },
})

export const addAlertDestination = publicOperation({
  operationId: 'addAlertDestination',
  method: 'POST',
  path: publicPaths.alertDestinations,
  credential: 'workspace_token',
  answers: { 201: NewDestination },
})

export const removeAlertDestination = publicOperation({
  operationId: 'removeAlertDestination',
  method: 'DELETE',
  path: `${publicPaths.alertDestinations}/:id`,
  credential: 'workspace_token',
  params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The `id` of the destination.' }) }),
  answers: { 204: Type.Null() },
})
