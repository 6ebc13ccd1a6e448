import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { publicPaths } from '../../../contract/public/public-paths.ts'
import { uploadSources } from '../../../contract/sbom/shapes.ts'
import { VexReceipt } from '../../../contract/vex/shapes.ts'
import { publicOperation } from '../public-operation.ts'

const vexVersion = `Product version that the document holds for. Longer than ${limits.versionCharacters} characters: cut. Absent or blank: it holds for every version of the family.`

export const operation = publicOperation({
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
