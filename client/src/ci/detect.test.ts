import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CiDetails } from '../details.ts'
import { detectCi } from './detect.ts'

const github = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/pump',
  GITHUB_RUN_ID: '4711',
  GITHUB_SHA: 'merge',
}
const gitlab = {
  GITLAB_CI: 'true',
  CI_COMMIT_SHA: 'abc',
  CI_PROJECT_PATH: 'acme/tools/pump',
  CI_PIPELINE_URL: 'https://gitlab.example/acme/tools/pump/-/pipelines/7',
  CI_JOB_URL: 'https://gitlab.example/acme/tools/pump/-/jobs/9',
}
const azure = {
  TF_BUILD: 'True',
  BUILD_SOURCEVERSION: 'abc',
  BUILD_REPOSITORY_NAME: 'pump',
  SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/',
  SYSTEM_TEAMPROJECT: 'Water pumps',
  BUILD_BUILDID: '12',
}
const bitbucket = {
  BITBUCKET_BUILD_NUMBER: '3',
  BITBUCKET_COMMIT: 'abc',
  BITBUCKET_REPO_FULL_NAME: 'acme/pump',
}
const jenkins = {
  JENKINS_URL: 'https://ci.acme.example/',
  GIT_COMMIT: 'abc',
  GIT_URL: 'https://bot:secret@git.acme.example/acme/pump.git',
  BUILD_URL: 'https://ci.acme.example/job/pump/5/',
}

const cases: [string, Record<string, string>, Partial<CiDetails>][] = [
  [
    'nothing outside of CI, whatever git says',
    { GIT_COMMIT: 'abc', CI: 'true' },
    { source: null, commit: null, branch: null, repository: null, runUrl: null },
  ],
  [
    'GitHub: a branch',
    { ...github, GITHUB_REF: 'refs/heads/feature/x', GITHUB_HEAD_REF: '' },
    {
      source: 'hosted_ci',
      commit: 'merge',
      branch: 'refs/heads/feature/x',
      repository: 'acme/pump',
      runUrl: 'https://github.com/acme/pump/actions/runs/4711',
    },
  ],
  ['GitHub: a tag keeps its ref', { ...github, GITHUB_REF: 'refs/tags/v1.2' }, { branch: 'refs/tags/v1.2' }],
  [
    'GitHub: a pull request without its event',
    { ...github, GITHUB_REF: 'refs/pull/12/merge', GITHUB_HEAD_REF: 'feature/x' },
    { branch: 'feature/x', commit: 'merge' },
  ],
  [
    'GitHub: an event that is not there',
    { ...github, GITHUB_HEAD_REF: 'x', GITHUB_EVENT_PATH: '/nonexistent/event.json' },
    { commit: 'merge' },
  ],
  ['GitHub: too little for a run link', { ...github, GITHUB_RUN_ID: ' ' }, { runUrl: null }],
  [
    'GitLab: a branch',
    { ...gitlab, CI_COMMIT_BRANCH: 'main' },
    {
      source: 'pipeline_ci',
      commit: 'abc',
      branch: 'main',
      repository: 'acme/tools/pump',
      runUrl: 'https://gitlab.example/acme/tools/pump/-/pipelines/7',
    },
  ],
  ['GitLab: a tag', { ...gitlab, CI_COMMIT_TAG: 'v1' }, { branch: 'refs/tags/v1' }],
  [
    'GitLab: merged results',
    {
      ...gitlab,
      CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'feature/x',
      CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'def',
    },
    { branch: 'feature/x', commit: 'def' },
  ],
  [
    'GitLab: a merge request whose source sha is empty',
    { ...gitlab, CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'x', CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '' },
    { commit: 'abc' },
  ],
  [
    'Azure: a branch, the project with a space',
    { ...azure, BUILD_SOURCEBRANCH: 'refs/heads/main' },
    {
      source: 'pipeline_ci',
      commit: 'abc',
      branch: 'refs/heads/main',
      repository: 'pump',
      runUrl: 'https://dev.azure.com/acme/Water%20pumps/_build/results?buildId=12',
    },
  ],
  [
    'Azure: a pull request',
    {
      ...azure,
      BUILD_SOURCEBRANCH: 'refs/pull/4/merge',
      SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/feature/x',
      SYSTEM_PULLREQUEST_SOURCECOMMITID: 'def',
    },
    { branch: 'refs/heads/feature/x', commit: 'def' },
  ],
  [
    'Bitbucket: a branch',
    { ...bitbucket, BITBUCKET_BRANCH: 'main' },
    {
      source: 'pipeline_ci',
      commit: 'abc',
      branch: 'main',
      repository: 'acme/pump',
      runUrl: 'https://bitbucket.org/acme/pump/pipelines/results/3',
    },
  ],
  ['Bitbucket: a tag', { ...bitbucket, BITBUCKET_TAG: 'v1' }, { branch: 'refs/tags/v1' }],
  [
    'Jenkins: a job of the git plugin; the password of the address stays behind',
    { ...jenkins, GIT_BRANCH: 'origin/feature/x' },
    {
      source: 'pipeline_ci',
      commit: 'abc',
      branch: 'feature/x',
      repository: 'acme/pump',
      runUrl: 'https://ci.acme.example/job/pump/5/',
    },
  ],
  ['Jenkins: a detached head', { ...jenkins, GIT_BRANCH: 'detached' }, { branch: null }],
  ['Jenkins: multibranch', { ...jenkins, GIT_BRANCH: 'main', BRANCH_NAME: 'main' }, { branch: 'main' }],
  [
    'Jenkins: a pull request',
    { ...jenkins, BRANCH_NAME: 'PR-12', CHANGE_BRANCH: 'feature/x' },
    { branch: 'feature/x' },
  ],
  ['Jenkins: a tag', { ...jenkins, BRANCH_NAME: 'v1', TAG_NAME: 'v1' }, { branch: 'refs/tags/v1' }],
  [
    'Jenkins: git over ssh',
    { ...jenkins, GIT_URL: 'git@git.acme.example:acme/pump.git' },
    { repository: 'acme/pump' },
  ],
  ['Jenkins: an address that is none', { ...jenkins, GIT_URL: 'bot:secret@host' }, { repository: null }],
]

it.each(cases)('%s', (_name, env, expected) => {
  expect(detectCi(env)).toMatchObject(expected)
})

describe('the event of a GitHub pull request', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'client-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each([
    ['names the head commit', '{"pull_request":{"head":{"sha":"def"}}}', 'def'],
    ['is not JSON', '{', 'merge'],
    ['is null', 'null', 'merge'],
    ['has a number for the commit', '{"pull_request":{"head":{"sha":1}}}', 'merge'],
  ])('%s', (_name, text, commit) => {
    const path = join(folder, 'event.json')
    writeFileSync(path, text)
    const env = { ...github, GITHUB_HEAD_REF: 'x', GITHUB_EVENT_PATH: path }
    expect(detectCi(env)).toMatchObject({ commit })
  })
})
