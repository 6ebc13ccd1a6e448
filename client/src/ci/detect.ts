import type { CiDetails } from '../details.ts'
import { variable, type Environment } from '../ports.ts'
import { azureDetails } from './azure.ts'
import { bitbucketDetails } from './bitbucket.ts'
import { githubDetails } from './github.ts'
import { gitlabDetails } from './gitlab.ts'
import { jenkinsDetails } from './jenkins.ts'

const unknown: CiDetails = { source: null, commit: null, branch: null, repository: null, runUrl: null }

/** The variable that only this system sets, in the order of detection. */
const systems: readonly [string, (env: Environment) => CiDetails][] = [
  ['GITHUB_ACTIONS', githubDetails],
  ['GITLAB_CI', gitlabDetails],
  ['TF_BUILD', azureDetails],
  ['BITBUCKET_BUILD_NUMBER', bitbucketDetails],
  ['JENKINS_URL', jenkinsDetails],
]

/**
 * Commit, branch, repository and run link from the CI system's variables. The source is `hosted_ci` for GitHub Actions and `pipeline_ci`
 * for other systems, as in the application's snippets; outside CI everything is null.
 */
export function detectCi(env: Environment): CiDetails {
  const found = systems.find(([name]) => variable(env, name) !== null)
  return found === undefined ? unknown : found[1](env)
}
