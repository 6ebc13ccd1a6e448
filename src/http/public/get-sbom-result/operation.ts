import { Type } from 'typebox'
import { publicPaths } from '../../../contract/public/public-paths.ts'
import { SbomResult, worstFindings } from '../../../contract/sbom/result.ts'
import { publicOperation } from '../public-operation.ts'

export const operation = publicOperation({
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
        description: `How many findings \`worst\` has at most; ${worstFindings.default} by default. More than ${worstFindings.max} counts as ${worstFindings.max}. An addition.`,
      }),
    ),
  }),
  answers: { 200: SbomResult },
})
