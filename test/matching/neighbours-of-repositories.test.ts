import { expect, test } from 'vitest'
import { testCves, type CveCase } from './cve-record-scene.ts'

/** CVE List records that name the source repository of a product (`repo`), and components that name it. */

const commit = '7ca2d6bd0a0b0c0d0e0f1a1b1c1d1e1f2a2b2c2d'
const other = 'ffffffffffffffffffffffffffffffffffffffff'
const repo = (name: string) => ({ repo: `https://github.com/Acme/${name}.git` })
const affected = (versions: object) => ({ status: 'affected', ...versions })
const below = (lessThan: string, versionType = 'semver') => ({
  versions: [affected({ version: '0', lessThan, versionType })],
})
const ofGit = (...versions: object[]) => ({
  versions: versions.map((each) => affected({ versionType: 'git', ...each })),
})
const vcs = (url: string) => ({ externalReferences: [{ type: 'vcs', url }] })

const cases: CveCase[] = [
  ['versions of the product', { ...repo('a1'), ...below('2.0.0') }, 'pkg:github/acme/a1@v1.0.0', 'possible'],
  ['behind them', { ...repo('a2'), ...below('2.0.0') }, 'pkg:github/acme/a2@v2.0.0', '-'],
  [
    'one version of the product',
    { ...repo('a3'), versions: [affected({ version: '1.0.0' })] },
    'pkg:github/acme/a3@1.0.0',
    'possible',
  ],
  [
    'an order of its own',
    { ...repo('a4'), ...below('2.0.0', 'custom') },
    'pkg:github/acme/a4@1.0.0',
    'possible',
  ],
  [
    'by vcs_url',
    { ...repo('a5'), ...below('2.0.0') },
    'pkg:generic/x@1.0.0?vcs_url=git%2Bhttps://github.com/acme/a5.git',
    'possible',
  ],
  [
    'by the vcs reference',
    { ...repo('a6'), ...below('2.0.0') },
    { version: '1.0.0', ...vcs('git@github.com:acme/a6.git') },
    'possible',
  ],
  [
    'by a page of it',
    { repo: 'https://github.com/acme/a7/tree/main/src', ...below('2.0.0') },
    'pkg:github/acme/a7@1.0.0',
    'possible',
  ],
  [
    'a group of GitLab',
    { repo: 'https://gitlab.com/acme/lib/b1', ...below('2.0.0') },
    'pkg:gitlab/acme/lib/b1@1.0.0',
    'possible',
  ],
  [
    'as GitLab writes its own',
    { repo: 'git://git@gitlab.com:acme/g1.git', ...below('2.0.0') },
    'pkg:gitlab/acme/g1@1.0.0',
    'possible',
  ],
  [
    'a page of Gitiles',
    { repo: 'https://acme.googlesource.com/lib/g2', ...below('2.0.0') },
    { version: '1.0.0', ...vcs('https://acme.googlesource.com/lib/g2/+/refs/tags/v1.0.0') },
    'possible',
  ],
  [
    'a page of Bitbucket at home',
    { repo: 'https://git.acme.example/scm/lib/g3.git', ...below('2.0.0') },
    { version: '1.0.0', ...vcs('https://git.acme.example/projects/LIB/repos/g3/browse') },
    'possible',
  ],
  [
    'Bitbucket',
    { repo: 'https://bitbucket.org/acme/b2', ...below('2.0.0') },
    'pkg:bitbucket/acme/b2@1.0.0',
    'possible',
  ],
  [
    'a recipe of Conan from it',
    { ...repo('b3'), ...below('2.0.0') },
    { purl: 'pkg:conan/x@1.0.0', ...vcs('https://github.com/acme/b3') },
    'possible',
  ],
  [
    'a package of npm from it',
    { ...repo('b4'), ...below('2.0.0') },
    { purl: 'pkg:npm/x@1.0.0', ...vcs('https://github.com/acme/b4') },
    '-',
  ],
  ['another repository', { ...repo('b5'), ...below('2.0.0') }, 'pkg:github/someone/b5@1.0.0', '-'],
  ['no version', { ...repo('b6'), ...below('2.0.0') }, 'pkg:github/acme/b6', 'possible'],
  [
    'all versions by default',
    { ...repo('b7'), defaultStatus: 'affected' },
    'pkg:github/acme/b7@1.0.0',
    'possible',
  ],
  [
    'unaffected from a version on',
    {
      ...repo('b8'),
      defaultStatus: 'affected',
      versions: [{ version: '2.0.0', lessThan: '*', status: 'unaffected', versionType: 'semver' }],
    },
    'pkg:github/acme/b8@2.1.0',
    '-',
  ],
  ['a listed tag', { ...repo('c1'), ...ofGit({ version: 'v1.2.3' }) }, 'pkg:github/acme/c1@1.2.3', 'exact'],
  [
    'a listed tag of the project',
    { ...repo('curl'), ...ofGit({ version: 'curl-8_5_0' }) },
    'pkg:github/acme/curl@8.5.0',
    'exact',
  ],
  ['another tag', { ...repo('c3'), ...ofGit({ version: 'v1.2.3' }) }, 'pkg:github/acme/c3@1.2.4', '-'],
  [
    'between tags',
    { ...repo('c4'), ...ofGit({ version: 'v1.0', lessThan: 'v2.0' }) },
    'pkg:github/acme/c4@1.5',
    'possible',
  ],
  [
    'at the tag of the fix',
    { ...repo('c5'), ...ofGit({ version: 'v1.0', lessThan: 'v2.0' }) },
    'pkg:github/acme/c5@v2.0',
    '-',
  ],
  [
    'from a tag to a commit',
    { ...repo('c6'), ...ofGit({ version: 'v1.0', lessThan: commit }) },
    'pkg:github/acme/c6@1.5',
    'possible',
  ],
  [
    'a commit that is named',
    { ...repo('d1'), ...ofGit({ version: commit, lessThan: other }) },
    `pkg:github/acme/d1@${commit.toUpperCase()}`,
    'possible',
  ],
  [
    'the commit of the fix',
    { ...repo('d2'), ...ofGit({ version: commit, lessThan: other }) },
    `pkg:github/acme/d2@${other}`,
    '-',
  ],
  [
    'the last affected commit',
    { ...repo('d3'), ...ofGit({ version: commit, lessThanOrEqual: other }) },
    `pkg:github/acme/d3@${other}`,
    'possible',
  ],
  [
    'a version beside commits',
    { ...repo('d4'), ...ofGit({ version: commit, lessThan: other }) },
    'pkg:github/acme/d4@1.0.0',
    '-',
  ],
  [
    'affected but for a commit',
    {
      ...repo('d5'),
      defaultStatus: 'affected',
      versions: [{ version: other, status: 'unaffected', lessThan: '*', versionType: 'git' }],
    },
    'pkg:github/acme/d5@1.0.0',
    'possible',
  ],
  [
    'versions and commits',
    {
      ...repo('d6'),
      versions: [...ofGit({ version: commit, lessThan: other }).versions, ...below('2.0.0').versions],
    },
    'pkg:github/acme/d6@1.0.0',
    'possible',
  ],
  [
    'the package itself',
    { ...repo('e1'), packageURL: 'pkg:github/acme/e1', ...below('2.0.0') },
    'pkg:github/acme/e1@1.0.0',
    'exact',
  ],
  [
    'a commit of the package',
    { packageURL: 'pkg:github/acme/e2', ...ofGit({ version: commit }) },
    `pkg:github/acme/e2@${commit}`,
    'possible',
  ],
  [
    'a tag of the package',
    {
      packageURL: 'pkg:github/acme/e3',
      versions: [affected({ version: 'e3-1_0_2', lessThan: 'e3-1_1_0', versionType: 'custom' })],
    },
    'pkg:github/acme/e3@1.0.5',
    'possible',
  ],
  [
    'the package of npm',
    { ...repo('e4'), packageURL: 'pkg:npm/e4', ...below('2.0.0') },
    'pkg:npm/e4@1.0.0',
    'exact',
  ],
  [
    'the repository of the package of npm',
    { ...repo('e5'), packageURL: 'pkg:npm/e5', ...below('2.0.0') },
    'pkg:github/acme/e5@1.0.0',
    'possible',
  ],
  [
    'the kernel',
    { repo: 'https://git.kernel.org/pub/scm/linux/kernel/git/torvalds/linux.git', ...below('6.9') },
    'pkg:github/torvalds/linux@v6.1',
    '-',
  ],
  [
    'an owner alone',
    { repo: 'https://github.com/acme', ...below('2.0.0') },
    'pkg:github/acme/acme@1.0.0',
    '-',
  ],
  ['no address', { repo: 'see the homepage', ...below('2.0.0') }, 'pkg:github/acme/f1@1.0.0', '-'],
  [
    'a package of a distribution',
    { ...repo('f2'), packageURL: 'pkg:rpm/redhat/f2', ...below('2.0.0') },
    'pkg:github/acme/f2@1.0.0',
    '-',
  ],
  [
    'nothing of it affected',
    { ...repo('f3'), versions: [{ ...below('2.0.0').versions[0], status: 'unaffected' }] },
    'pkg:github/acme/f3@1.0.0',
    '-',
  ],
  ['rejected', { ...repo('f4'), ...below('2.0.0'), state: 'REJECTED' }, 'pkg:github/acme/f4@1.0.0', '-'],
]

const answers = testCves(cases)

test.each(['a listed tag', 'another tag', 'between tags', 'the package itself'])(
  '%s: a record that names versions of the repository decides about it',
  (what) => {
    expect(answers().stateOf(what)).not.toBe('not_covered')
  },
)

test.each([
  'versions of the product',
  'behind them',
  'a version beside commits',
  'another repository',
  'all versions by default',
])('%s: what a record says besides decides about no other version', (what) => {
  expect(answers().stateOf(what)).toBe('not_covered')
})
