import type { CiDetails } from '../details.ts'
import { variable, type Environment } from '../ports.ts'

/**
 * Jenkins. Multibranch jobs set branch (`BRANCH_NAME`), pull request source (`CHANGE_BRANCH`) and tag (`TAG_NAME`); other jobs only have
 * the git plugin's `GIT_BRANCH`, which includes the remote (`origin/main`) or is `detached`.
 */
export function jenkinsDetails(env: Environment): CiDetails {
  const tag = variable(env, 'TAG_NAME')
  return {
    source: 'pipeline_ci',
    commit: variable(env, 'GIT_COMMIT'),
    branch:
      variable(env, 'CHANGE_BRANCH') ??
      (tag === null ? null : `refs/tags/${tag}`) ??
      variable(env, 'BRANCH_NAME') ??
      remoteBranch(variable(env, 'GIT_BRANCH')),
    repository: repositoryName(variable(env, 'GIT_URL')),
    runUrl: variable(env, 'BUILD_URL'),
  }
}

function remoteBranch(name: string | null): string | null {
  if (name === null || name === 'detached' || name === 'HEAD') return null
  return name.startsWith('refs/') ? name : name.replace(/^origin\//, '')
}

/** `acme/pump` from a clone URL: never the URL, which may contain a password. */
function repositoryName(address: string | null): string | null {
  if (address === null) return null
  const path = URL.canParse(address) ? new URL(address).pathname : address.slice(address.indexOf(':') + 1)
  const name = path.replace(/^\/+/, '').replace(/\.git$/, '')
  return name === '' || name.includes('@') ? null : name
}
