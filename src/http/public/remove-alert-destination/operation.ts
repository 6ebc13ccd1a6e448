import { Type } from 'typebox'
import { publicPaths } from '../../../contract/public/public-paths.ts'
import { publicOperation } from '../public-operation.ts'

export const operation = publicOperation({
  operationId: 'removeAlertDestination',
  method: 'DELETE',
  path: `${publicPaths.alertDestinations}/:id`,
  credential: 'workspace_token',
  params: Type.Object({ id: Type.String({ format: 'uuid', description: 'The `id` of the destination.' }) }),
  answers: { 204: Type.Null() },
})
