import type { CiDetails } from '../details.ts'
import { variable, type Environment } from '../ports.ts'

/** Bitbucket Pipelines; `BITBUCKET_BRANCH` is the source branch of a pull request and absent for tags. */
export function bitbucketDetails(env: Environment): CiDetails {
  const repository = variable(env, 'BITBUCKET_REPO_FULL_NAME')
  const build = variable(env, 'BITBUCKET_BUILD_NUMBER')
  const tag = variable(env, 'BITBUCKET_TAG')
  return {
    source: 'pipeline_ci',
    commit: variable(env, 'BITBUCKET_COMMIT'),
    branch: variable(env, 'BITBUCKET_BRANCH') ?? (tag === null ? null : `refs/tags/${tag}`),
    repository,
    runUrl: repository && build ? `https://bitbucket.org/${repository}/pipelines/results/${build}` : null,
  }
}
