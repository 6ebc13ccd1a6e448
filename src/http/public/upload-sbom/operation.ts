import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { publicPaths } from '../../../contract/public/public-paths.ts'
import { SbomReceipt, uploadSources } from '../../../contract/sbom/shapes.ts'
import { publicOperation } from '../public-operation.ts'

const sbomVersion = `Product version that the SBOM describes. Longer than ${limits.versionCharacters} characters: cut. Blank: as if absent.`

export const operation = publicOperation({
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
