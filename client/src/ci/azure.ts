import type { CiDetails } from '../details.ts'
import { variable, type Environment } from '../ports.ts'

/** Azure Pipelines. A pull request is built from a merge commit: its source branch and commit are named instead. */
export function azureDetails(env: Environment): CiDetails {
  const collection = variable(env, 'SYSTEM_COLLECTIONURI')
  const project = variable(env, 'SYSTEM_TEAMPROJECT')
  const build = variable(env, 'BUILD_BUILDID')
  const page = collection && project && build ? { collection: withSlash(collection), project, build } : null
  return {
    source: 'pipeline_ci',
    commit: variable(env, 'SYSTEM_PULLREQUEST_SOURCECOMMITID') ?? variable(env, 'BUILD_SOURCEVERSION'),
    branch: variable(env, 'SYSTEM_PULLREQUEST_SOURCEBRANCH') ?? variable(env, 'BUILD_SOURCEBRANCH'),
    repository: variable(env, 'BUILD_REPOSITORY_NAME'),
    runUrl:
      page &&
      `${page.collection}${encodeURIComponent(page.project)}/_build/results?buildId=${encodeURIComponent(page.build)}`,
  }
}

function withSlash(address: string): string {
  return address.endsWith('/') ? address : `${address}/`
}
