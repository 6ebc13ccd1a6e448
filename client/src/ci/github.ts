import { readFileSync, statSync } from 'node:fs'
import type { CiDetails } from '../details.ts'
import { variable, type Environment } from '../ports.ts'

/** GitHub caps the payload of an event at 25 MB. */
const maxEventBytes = 25 * 1024 * 1024

/**
 * GitHub Actions and systems with its variables (Gitea, Forgejo). In a pull request `GITHUB_SHA` is a temporary merge commit, so commit and
 * branch are those of the head.
 */
export function githubDetails(env: Environment): CiDetails {
  const server = variable(env, 'GITHUB_SERVER_URL')
  const repository = variable(env, 'GITHUB_REPOSITORY')
  const run = variable(env, 'GITHUB_RUN_ID')
  const head = variable(env, 'GITHUB_HEAD_REF')
  return {
    source: 'hosted_ci',
    commit: (head === null ? null : headCommit(env)) ?? variable(env, 'GITHUB_SHA'),
    branch: head ?? variable(env, 'GITHUB_REF'),
    repository,
    runUrl: server && repository && run ? `${server}/${repository}/actions/runs/${run}` : null,
  }
}

function headCommit(env: Environment): string | null {
  const path = variable(env, 'GITHUB_EVENT_PATH')
  if (path === null) return null
  try {
    if (statSync(path).size > maxEventBytes) return null
    const event = JSON.parse(readFileSync(path, 'utf8')) as {
      pull_request?: { head?: { sha?: unknown } }
    } | null
    const commit = event?.pull_request?.head?.sha
    return typeof commit === 'string' ? commit : null
  } catch {
    // the payload only refines what the variables say
    return null
  }
}
