import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFindings } from '../../src/findings/reads/list-findings.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { selectUsedEcosystems } from '../../src/vulndata/ledger/in-store.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { record, matchTaken } from '../vulndata/support.ts'
import { loadNvd, loadRecords } from './match-support.ts'
import { textLike } from '../support/expected.ts'
import { cycloneDx, spdx } from './one-component.ts'

/** OSV records on repositories of projects in no registry, and the components that name those repositories. */

let scene: UploadScene
const commit = '7ca2d6bd0a0b0c0d0e0f1a1b1c1d1e1f2a2b2c2d'

/** As OSV's converter writes the CVEs of C projects: no package, the commits of a repository, and the tags that contain them. */
const ofRepository = (id: string, repo: string, versions: string[], introduced = '0') =>
  record(id, '-', {
    affected: [
      {
        ranges: [
          {
            type: 'GIT',
            repo,
            events: [{ introduced }, { fixed: 'ffffffffffffffffffffffffffffffffffffffff' }],
          },
        ],
        versions,
      },
    ],
  })

const records = [
  ofRepository(
    'CVE-2025-9001',
    'https://github.com/madler/zlib',
    ['v1.2.9', 'v1.2.10', 'v1.2.11', 'v1.2.13'],
    commit,
  ),
  ofRepository('CVE-2025-9002', 'https://github.com/openssl/openssl.git', [
    ...['OpenSSL_1_1_1k', 'openssl-3.0.6', 'openssl-3.0.7', 'OpenSSL-fips-2_0_1'],
  ]),
  ofRepository('CVE-2025-9003', 'https://github.com/curl/curl', ['curl-8_4_0', 'curl-8_5_0']),
  ofRepository('CVE-2025-9004', 'git://git.kernel.org/pub/scm/linux/kernel/git/stable/linux.git', [
    'v6.1',
    'v6.1.1',
  ]),
  // a finding of a fuzzer
  record('OSV-2025-17', 'OSS-Fuzz', {
    affected: [
      {
        package: { ecosystem: 'OSS-Fuzz', name: 'libpng', purl: 'pkg:generic/libpng' },
        ranges: [
          { type: 'GIT', repo: 'https://github.com/glennrp/libpng.git', events: [{ introduced: commit }] },
        ],
        versions: ['v1.6.37'],
      },
    ],
  }),
  record('CVE-2025-9005', 'Linux', {
    affected: [
      {
        package: { ecosystem: 'Linux', name: 'Kernel' },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '5.10.0' }, { fixed: '6.1.5' }] }],
      },
    ],
  }),
  // data on actions decide nothing about the kernel
  record('GHSA-actn-0000-0001', 'GitHub Actions', {
    affected: [
      {
        package: { ecosystem: 'GitHub Actions', name: 'some/action' },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }] }],
      },
    ],
  }),
]

beforeAll(async () => {
  scene = await UploadScene.open()
  const { db } = scene.database
  await loadRecords(db, ...records)
  await loadNvd(
    db,
    { criteria: 'cpe:2.3:a:zlib:zlib:*:*:*:*:*:*:*:*', versionEndExcluding: '1.2.12' },
    {
      criteria: 'cpe:2.3:a:openssl:openssl:*:*:*:*:*:*:*:*',
      versionStartIncluding: '3.0.0',
      versionEndExcluding: '3.0.8',
    },
    { criteria: 'cpe:2.3:a:haxx:curl:*:*:*:*:*:*:*:*', versionEndIncluding: '8.5.0' },
  )
  await followUp()
})
afterAll(() => scene.close())

const followUp = () => matchTaken(scene.database.db)

type Seen = { found: string[]; state: string | undefined; reason: string | null | undefined }

/** The findings of an SBOM with one component, as `ID grade`, and whether data decide about it. */
async function seen(document: object): Promise<Seen> {
  const { db } = scene.database
  const { workspaceId, sbomId } = await scene.matched(document)
  const found = (await listFindings(db, { workspaceId, sbomId })).rows
  const query = { search: undefined, sort: 'name', cursor: undefined } as const
  const { rows } = await listComponents(db, { workspaceId, sbomId, ...query })
  return {
    found: found.map(({ title, grade }) => `${title} ${grade}`).sort(),
    state: rows[0]?.decidability,
    reason: rows[0]?.reason,
  }
}

const vcs = (url: string) => ({ externalReferences: [{ type: 'vcs', url }] })

const ofVcs = (name: string, version: string, repository: string) =>
  `pkg:generic/${name}@${version}?vcs_url=git%2Bhttps://${repository}`

const cases: [what: string, component: Record<string, unknown>, found: string[]][] = [
  ['zlib by its purl of GitHub', { purl: 'pkg:github/madler/zlib@1.2.11' }, ['CVE-2025-9001 exact']],
  ['zlib by its tag', { purl: 'pkg:github/Madler/zlib@v1.2.11' }, ['CVE-2025-9001 exact']],
  ['zlib by vcs_url', { purl: ofVcs('zlib', '1.2.11', 'github.com/madler/zlib') }, ['CVE-2025-9001 exact']],
  [
    'zlib by the tag in vcs_url',
    { purl: 'pkg:generic/zlib?vcs_url=git%2Bhttps://github.com/madler/zlib.git%40v1.2.11' },
    ['CVE-2025-9001 exact'],
  ],
  [
    'zlib by its CPE',
    { cpe: 'cpe:2.3:a:zlib:zlib:1.2.11:*:*:*:*:*:*:*', version: '1.2.11' },
    ['CVE-2025-1000 exact'],
  ],
  [
    'openssl by its CPE',
    { cpe: 'cpe:2.3:a:openssl:openssl:3.0.7:*:*:*:*:*:*:*', version: '3.0.7' },
    ['CVE-2025-1001 exact'],
  ],
  [
    'curl by its CPE',
    { cpe: 'cpe:2.3:a:haxx:curl:8.5.0:*:*:*:*:*:*:*', version: '8.5.0' },
    ['CVE-2025-1002 exact'],
  ],
  [
    'zlib by both',
    { purl: 'pkg:github/madler/zlib@1.2.11', cpe: 'cpe:2.3:a:zlib:zlib:1.2.11:*:*:*:*:*:*:*' },
    ['CVE-2025-1000 exact', 'CVE-2025-9001 exact'],
  ],
  [
    'zlib of Conan',
    { purl: 'pkg:conan/zlib@1.2.11', ...vcs('https://github.com/madler/zlib') },
    ['CVE-2025-9001 exact'],
  ],
  [
    'zlib by a reference alone',
    { version: '1.2.11', ...vcs('git@github.com:madler/zlib.git') },
    ['CVE-2025-9001 exact'],
  ],
  [
    'a version between two listed tags',
    { purl: 'pkg:github/madler/zlib@1.2.12' },
    ['CVE-2025-9001 possible'],
  ],
  ['a snapshot between two', { purl: 'pkg:github/madler/zlib@1.2.11.1' }, ['CVE-2025-9001 possible']],
  ['zlib after the last tag', { purl: 'pkg:github/madler/zlib@v1.2.14' }, []],
  ['zlib before the first tag', { purl: 'pkg:github/madler/zlib@v1.2.8' }, []],
  ['zlib without a version', { purl: 'pkg:github/madler/zlib' }, ['CVE-2025-9001 possible']],
  [
    'a commit that the record names',
    { purl: `pkg:github/madler/zlib@${commit}` },
    ['CVE-2025-9001 possible'],
  ],
  ['another commit', { purl: `pkg:github/madler/zlib@${commit.replace('7', '8')}` }, []],
  ['another repository of the same name', { purl: 'pkg:github/someone/zlib@1.2.11' }, []],
  ['openssl by version', { purl: 'pkg:github/openssl/openssl@3.0.7' }, ['CVE-2025-9002 exact']],
  ['openssl by tag', { purl: 'pkg:github/openssl/openssl@openssl-3.0.7' }, ['CVE-2025-9002 exact']],
  [
    'openssl by vcs_url',
    { purl: ofVcs('openssl', '3.0.7', 'git.openssl.org/openssl.git') },
    ['CVE-2025-9002 exact'],
  ],
  ['openssl of the old count', { purl: 'pkg:github/openssl/openssl@1.1.1k' }, ['CVE-2025-9002 exact']],
  ['openssl one later', { purl: 'pkg:github/openssl/openssl@3.0.8' }, []],
  ['what another product of it is called', { purl: 'pkg:github/openssl/openssl@2.0.1' }, []],
  ['curl by version', { purl: 'pkg:github/curl/curl@8.5.0' }, ['CVE-2025-9003 exact']],
  ['curl by vcs_url', { purl: ofVcs('curl', '8.5.0', 'github.com/curl/curl') }, ['CVE-2025-9003 exact']],
  ['curl one later', { purl: 'pkg:github/curl/curl@8.6.0' }, []],
  ['curl of the line that may have the fix', { purl: 'pkg:github/curl/curl@8.4.1' }, []],
  [
    'curl behind the last affected tag',
    { purl: 'pkg:github/curl/curl@curl-8_5_0-14-gabcdef0' },
    ['CVE-2025-9003 possible'],
  ],
  ['curl at that tag', { purl: 'pkg:github/curl/curl@curl-8_5_0-0-gabcdef0' }, ['CVE-2025-9003 exact']],
  [
    'a snapshot of curl',
    { purl: ofVcs('curl', '8.5.0%2Bgit20240101', 'github.com/curl/curl') },
    ['CVE-2025-9003 possible'],
  ],
  [
    'as Go calls one',
    { purl: 'pkg:github/curl/curl@v8.5.1-0.20240101120000-abcdef012345' },
    ['CVE-2025-9003 possible'],
  ],
  ['curl behind a tag with the fix', { purl: 'pkg:github/curl/curl@curl-8_6_0-3-gabcdef0' }, []],
  [
    'a kernel behind a tag',
    { purl: 'pkg:github/torvalds/linux@v6.1.4-14-gabcdef0' },
    ['CVE-2025-9005 possible'],
  ],
  ['a finding of OSS-Fuzz', { purl: 'pkg:github/glennrp/libpng@1.6.37' }, ['OSV-2025-17 exact']],
  [
    'the kernel',
    { purl: 'pkg:github/torvalds/linux@v6.1' },
    ['CVE-2025-9004 possible', 'CVE-2025-9005 possible'],
  ],
  ['a candidate of the kernel', { purl: 'pkg:github/torvalds/linux@6.1.4-rc1' }, ['CVE-2025-9005 possible']],
  [
    'the kernel of kernel.org',
    { purl: ofVcs('linux', '5.15.148', 'git.kernel.org/pub/scm/linux/kernel/git/stable/linux.git') },
    ['CVE-2025-9005 possible'],
  ],
  ['a fixed kernel', { purl: 'pkg:github/torvalds/linux@v6.1.5' }, []],
  ['a kernel before it', { purl: 'pkg:github/torvalds/linux@v5.10-rc7' }, []],
  [
    'a package of npm from the repository',
    { purl: 'pkg:npm/zlib@1.2.11', ...vcs('https://github.com/madler/zlib') },
    [],
  ],
  [
    'a package of Debian from the repository',
    { purl: 'pkg:deb/debian/zlib@1.2.11?distro=debian-12', ...vcs('https://github.com/madler/zlib') },
    [],
  ],
]

test.each(cases)('%s', async (_, component, found) => {
  expect((await seen(cycloneDx(component))).found).toEqual(found)
})

test('SPDX names the repository as the download location', async () => {
  const location = 'git+https://github.com/curl/curl.git@curl-8_5_0'
  expect((await seen(spdx({ downloadLocation: location }))).found).toEqual(['CVE-2025-9003 exact'])
  const stated = spdx({ downloadLocation: 'git+https://github.com/curl/curl', versionInfo: '8.4.0' })
  expect((await seen(stated)).found).toEqual(['CVE-2025-9003 exact'])
  const archive = {
    downloadLocation: 'https://github.com/curl/curl/archive/curl-8_5_0.tar.gz',
    versionInfo: '8.5.0',
  }
  expect((await seen(spdx(archive))).found).toEqual([])
})

const isCovered = textLike(/^(?:covered|partly_loaded)$/)

test('a repository is covered where a record names it, also in a version that none affects', async () => {
  expect((await seen(cycloneDx({ purl: 'pkg:github/curl/curl@8.6.0' }))).state).toEqual(isCovered)
  const generic = { purl: ofVcs('curl', '8.6.0', 'github.com/curl/curl') }
  expect((await seen(cycloneDx(generic))).state).toEqual(isCovered)
})

test('and not where none does', async () => {
  for (const purl of [
    'pkg:github/no/body@1.0.0',
    'pkg:gitlab/no/body@1.0.0',
    ofVcs('x', '1.0', 'example.org/x.git'),
  ]) {
    const { state, reason } = await seen(cycloneDx({ purl }))
    expect(state, purl).toBe('not_covered')
    expect(reason).toContain('names this repository')
  }
})

test('what hinders the comparison with a repository that records name is said', async () => {
  const commits = { purl: `pkg:github/madler/zlib@${commit}` }
  expect((await seen(cycloneDx(commits))).state).toBe('uncomparable')
  expect((await seen(cycloneDx({ purl: 'pkg:github/madler/zlib' }))).state).toBe('no_version')
  const behindNothing = { purl: 'pkg:github/madler/zlib@v0.0.0-20240101120000-abcdef012345' }
  expect((await seen(cycloneDx(behindNothing))).state).toBe('uncomparable')
})

test('the kernel is judged by its own data, and not by those on actions', async () => {
  const { db } = scene.database
  await scene.matched(cycloneDx({ purl: 'pkg:github/torvalds/linux@v6.9' }))
  const row = await db
    .selectFrom('component_identity')
    .select(['ecosystem', 'other_ecosystems'])
    .where('version', '=', '6.9')
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ ecosystem: 'Linux', other_ecosystems: ['GIT'] })
})

test('the data of what components name are loaded, and those that are filed under the same keys', async () => {
  const used = await selectUsedEcosystems(scene.database.db)
  expect(used).toEqual(expect.arrayContaining(['GIT', 'OSS-Fuzz', 'Linux']))
})
