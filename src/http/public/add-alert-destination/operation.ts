import { NewDestination } from '../../../contract/alerts/shapes.ts'
import { publicPaths } from '../../../contract/public/public-paths.ts'
import { publicOperation } from '../public-operation.ts'

export const operation = publicOperation({
  operationId: 'addAlertDestination',
  method: 'POST',
  path: publicPaths.alertDestinations,
  credential: 'workspace_token',
  answers: { 201: NewDestination },
})
