import type { CiDetails } from '../details.ts'
import { variable, type Environment } from '../ports.ts'

/** GitLab CI: branch, tag and merge request pipelines, the latter with the source branch and its commit. */
export function gitlabDetails(env: Environment): CiDetails {
  const tag = variable(env, 'CI_COMMIT_TAG')
  return {
    source: 'pipeline_ci',
    commit: variable(env, 'CI_MERGE_REQUEST_SOURCE_BRANCH_SHA') ?? variable(env, 'CI_COMMIT_SHA'),
    branch:
      variable(env, 'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME') ??
      variable(env, 'CI_COMMIT_BRANCH') ??
      (tag === null ? null : `refs/tags/${tag}`),
    repository: variable(env, 'CI_PROJECT_PATH'),
    runUrl: variable(env, 'CI_PIPELINE_URL') ?? variable(env, 'CI_JOB_URL'),
  }
}
