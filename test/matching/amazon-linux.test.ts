import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importVulnerabilityData } from '../../src/vulndata/import.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { updateinfo, type Alas } from '../vulndata/alas.ts'
import { folderOf, importDeps } from '../vulndata/support.ts'
import { answerTo } from './distribution-scene.ts'

/** Amazon Linux packages, as scanners name them, against the notices of its repositories. */

let scene: UploadScene

const core: Alas[] = [
  {
    id: 'ALAS2-2024-2402',
    severity: 'medium',
    cves: ['CVE-2024-1001'],
    packages: [
      ['bind', '9.11.4', '26.P2.amzn2.13.7', { epoch: '32' }],
      ['bind-libs', '9.11.4', '26.P2.amzn2.13.7', { epoch: '32' }],
      ['bind-libs', '9.11.4', '26.P2.amzn2.13.7', { epoch: '32', arch: 'aarch64' }],
    ],
  },
  {
    id: 'ALAS2-2024-2500',
    cves: ['CVE-2024-1002', 'CVE-2024-1003'],
    packages: [['kernel', '4.14.350', '266.564.amzn2']],
  },
  { id: 'ALAS2-2024-2600', cves: ['CVE-2024-1004'], packages: [['golang', '1.18.6', '1.amzn2.0.2']] },
  { id: 'ALAS2-2024-2601', type: 'bugfix', packages: [['bash', '5', '1.amzn2']] },
]
const topics: Alas[] = [
  {
    id: 'ALAS2KERNEL-5.10-2024-064',
    cves: ['CVE-2024-1005'],
    packages: [['kernel', '5.10.220', '209.867.amzn2']],
  },
  {
    id: 'ALAS2KERNEL-5.4-2024-079',
    cves: ['CVE-2024-1006'],
    packages: [['kernel', '5.4.280', '190.1.amzn2']],
  },
  {
    id: 'ALAS2GOLANG1.19-2023-001',
    cves: ['CVE-2024-1007'],
    packages: [['golang', '1.19.10', '1.amzn2.0.2']],
  },
  {
    id: 'ALAS2DOCKER-2024-040',
    cves: ['CVE-2024-1008'],
    packages: [['containerd', '1.7.11', '1.amzn2.0.1']],
  },
  {
    id: 'ALAS2LIVEPATCH-2024-190',
    cves: ['CVE-2024-1009'],
    packages: [['kernel-livepatch-4.14.343-259.562', '1.0', '3.amzn2']],
  },
]
const newer: Alas[] = [
  {
    id: 'ALAS2023-2023-001',
    severity: 'Important',
    cves: ['CVE-2022-24903', 'CVE-2014-3634'],
    packages: [['rsyslog', '8.2204.0', '3.amzn2023.0.2']],
  },
  {
    id: 'ALAS2023NVIDIA-2025-001',
    cves: ['CVE-2025-23359'],
    packages: [
      ['libnvidia-container1', '1.17.4', '1'],
      ['nvidia-driver', '570.124.06', '1.amzn2023'],
    ],
  },
]
const first: Alas[] = [
  {
    id: 'ALAS-2018-939',
    severity: 'critical',
    cves: ['CVE-2017-5754'],
    packages: [['kernel', '4.9.76', '3.78.amzn1']],
  },
]

async function load(path: string, isComplete: boolean): Promise<void> {
  await importVulnerabilityData(importDeps(scene.database.db), { from: path, isComplete, now: testNow })
}

beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())

const al2 = (name: string, more = '') => `pkg:rpm/amzn/${name}?arch=x86_64&distro=amzn-2${more}`

test('before its data are loaded a package is in no other state than that', async () => {
  expect(await answerTo(scene, [al2('bind-libs@9.11.4-26.P2.amzn2.13.6', '&epoch=32')])).toEqual({
    found: [],
    states: { dataNotLoaded: 1 },
  })
})

test('a part of the repositories covers nothing', async () => {
  const folder = folderOf({ 'updateinfo.xml': updateinfo(...newer) })
  await load(join(folder, 'updateinfo.xml'), false)
  expect(await answerTo(scene, ['pkg:rpm/amazon/rsyslog@8.2204.0-3.amzn2023.0.1?distro=amzn-2023'])).toEqual({
    found: ['ALAS2023-2023-001 high exact 8.2204.0-3.amzn2023.0.2'],
    states: { dataNotLoaded: 1 },
  })
})

test('another company is told nothing of it, and the same of its own component', async () => {
  const purl = 'pkg:rpm/amazonlinux/rsyslog@8.2204.0-3.amzn2023.0.1?distro=amzn-2023'
  expect(await answerTo(scene, [purl], { of: scene.other })).toMatchObject({
    found: ['ALAS2023-2023-001 high exact 8.2204.0-3.amzn2023.0.2'],
  })
})

const one = { states: { covered: 1 } }
const fixedBy = (id: string, severity: string, fixed: string, grade = 'exact') => ({
  found: [`${id} ${severity} ${grade} ${fixed}`],
  ...one,
})
const clean = { found: [], ...one }
const bind = fixedBy('CVE-2024-1001', 'medium', '32:9.11.4-26.P2.amzn2.13.7')

const table: [rule: string, purl: string, expected: object, os?: { name: string; version: string }][] = [
  ['affected, one CVE', al2('bind-libs@9.11.4-26.P2.amzn2.13.6', '&epoch=32'), bind],
  ['fixed', al2('bind-libs@9.11.4-26.P2.amzn2.13.7', '&epoch=32'), clean],
  ['not in the notice', al2('bind-utils@9.11.4-26.P2.amzn2.13.6', '&epoch=32'), clean],
  [
    'a release with its name',
    'pkg:rpm/amazon/bind@32:9.11.4-26.P2.amzn2.13.6?distro=amazon-2%20%28Karoo%29',
    bind,
  ],
  [
    'release by the operating system',
    'pkg:rpm/amzn/bind@32:9.11.4-26.P2.amzn2.13.6',
    bind,
    { name: 'amzn', version: '2' },
  ],
  ['release by the version', 'pkg:rpm/amazonlinux/bind@32:9.11.4-26.P2.amzn2.13.6', bind],
  ['another release', 'pkg:rpm/amzn/bind@32:9.11.4-26.P2?distro=amzn-2023', clean],
  ['release not known', 'pkg:rpm/amzn/bind@32:9.11.4-26.P2', { found: [], states: { releaseUnknown: 1 } }],
  [
    'several CVEs',
    al2('kernel@4.14.349-266.564.amzn2'),
    fixedBy('ALAS2-2024-2500', 'high', '4.14.350-266.564.amzn2'),
  ],
  [
    'the kernel of a topic, by its line',
    al2('kernel@5.10.219-208.866.amzn2'),
    fixedBy('CVE-2024-1005', 'high', '5.10.220-209.867.amzn2'),
  ],
  [
    'the kernel of another topic',
    al2('kernel@5.4.279-1.amzn2'),
    fixedBy('CVE-2024-1006', 'high', '5.4.280-190.1.amzn2'),
  ],
  ['a kernel of a topic that is fixed', al2('kernel@5.4.280-190.1.amzn2'), clean],
  ['a kernel that is newer than all of them', al2('kernel@5.15.1-1.amzn2'), clean],
  ['the main repository, fixed there', al2('golang@1.18.6-1.amzn2.0.2'), clean],
  [
    'the main repository, not fixed',
    al2('golang@1.17.1-1.amzn2'),
    fixedBy('CVE-2024-1004', 'high', '1.18.6-1.amzn2.0.2'),
  ],
  [
    'a topic of that line',
    al2('golang@1.19.9-1.amzn2'),
    fixedBy('CVE-2024-1007', 'high', '1.19.10-1.amzn2.0.2'),
  ],
  [
    'a topic without a line',
    al2('containerd@1.6.8-1.amzn2'),
    fixedBy('CVE-2024-1008', 'high', '1.7.11-1.amzn2.0.1', 'possible'),
  ],
  [
    'a live patch of that kernel',
    al2('kernel-livepatch-4.14.343-259.562@1.0-2.amzn2'),
    fixedBy('CVE-2024-1009', 'high', '1.0-3.amzn2'),
  ],
  ['a live patch of another kernel', al2('kernel-livepatch-4.14.336-257.562@1.0-2.amzn2'), clean],
  ['a notice that is not about security', al2('bash@4-1.amzn2'), clean],
  [
    'the newest',
    'pkg:rpm/amzn/rsyslog@8.2204.0-3.amzn2023.0.1?distro=amzn-2023.6.20241212',
    fixedBy('ALAS2023-2023-001', 'high', '8.2204.0-3.amzn2023.0.2'),
  ],
  [
    'of the repository of NVIDIA, which others have as well',
    'pkg:rpm/amzn/nvidia-driver@570.86.15-1.amzn2023?distro=amzn-2023',
    fixedBy('CVE-2025-23359', 'high', '570.124.06-1.amzn2023', 'possible'),
  ],
  [
    'built by NVIDIA, in its repository',
    'pkg:rpm/amzn/libnvidia-container1@1.17.3-1?distro=amzn-2023',
    fixedBy('CVE-2025-23359', 'high', '1.17.4-1', 'possible'),
  ],
  ['the same, fixed', 'pkg:rpm/amzn/libnvidia-container1@1.17.4-1?distro=amzn-2023', clean],
  [
    'built by NVIDIA for a release without such a repository',
    al2('libnvidia-container1@1.17.3-1'),
    { found: [], states: { notCovered: 1 } },
  ],
  [
    'the first, whose notices are not loaded',
    'pkg:rpm/amzn/kernel@4.9.75-1.amzn1?distro=amzn-2018.03',
    { found: [], states: { dataNotLoaded: 1 } },
  ],
]

test('all repositories, imported as a folder, cover the releases', async () => {
  const folder = folderOf({
    '2/core/updateinfo.xml': updateinfo(...core),
    '2/extras/updateinfo-all.xml': updateinfo(...topics),
    'al2023/updateinfo.xml': updateinfo(...newer),
    'readme.txt': 'not data',
  })
  await load(folder, true)
  for (const [rule, purl, expected, os] of table) {
    const answered = await answerTo(scene, [purl], os === undefined ? {} : { os })
    expect({ rule, ...answered }).toEqual({ rule, ...expected })
  }
})

test('the first release has notices of its own', async () => {
  const folder = folderOf({ 'updateinfo.xml': updateinfo(...first) })
  await load(join(folder, 'updateinfo.xml'), true)
  const old = (version: string) => `pkg:rpm/amzn/kernel@${version}?distro=amzn-2018.03`
  expect(await answerTo(scene, [old('4.9.75-1.amzn1'), old('4.9.76-3.78.amzn1')])).toEqual({
    found: ['CVE-2017-5754 critical exact 4.9.76-3.78.amzn1'],
    states: { covered: 2 },
  })
})
