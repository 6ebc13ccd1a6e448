import { Type } from 'typebox'
import { publicPaths } from '../../../contract/public/public-paths.ts'
import { SbomReceipt } from '../../../contract/sbom/shapes.ts'
import { publicOperation } from '../public-operation.ts'

const group = Type.String({ description: 'Group of the notification, without the GROUP_ of version 5.' })
// not Literal(true): generators for Java take a boolean constant for a text
const alwaysTrue = Type.Boolean({ description: 'Always true.' })
const message = Type.String({ description: 'English text.' })

const ConnectorTest = Type.Object({ test: alwaysTrue, group, message }, { title: 'ConnectorTest' })
const ConnectorIgnored = Type.Object({ ignored: alwaysTrue, group, message }, { title: 'ConnectorIgnored' })

export const operation = publicOperation({
  operationId: 'receiveDependencyTrack',
  method: 'POST',
  path: publicPaths.dependencyTrack,
  credential: 'upload_token',
  answers: {
    200: Type.Union([SbomReceipt, ConnectorTest]),
    202: Type.Union([SbomReceipt, ConnectorIgnored]),
  },
})
