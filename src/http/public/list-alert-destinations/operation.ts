import { Type } from 'typebox'
import { Destination } from '../../../contract/alerts/shapes.ts'
import { publicPaths } from '../../../contract/public/public-paths.ts'
import { publicOperation } from '../public-operation.ts'

export const operation = publicOperation({
  operationId: 'listAlertDestinations',
  method: 'GET',
  path: publicPaths.alertDestinations,
  credential: 'workspace_token',
  answers: {
    200: Type.Object({ destinations: Type.Array(Destination) }, { title: 'AlertDestinations' }),
  },
})
