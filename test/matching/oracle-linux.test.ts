import { afterAll, beforeAll, expect, test } from 'vitest'
import { UploadScene } from '../support/upload-scene.ts'
import { oval, type Elsa } from '../vulndata/elsa.ts'
import { importFile } from '../vulndata/support.ts'
import { answerTo } from './distribution-scene.ts'

/** Oracle Linux packages, as scanners name them, against Oracle's own definitions. */

let scene: UploadScene

const module8 = (stream: string) => `0:${stream}.0-1.module+el8.3.0+7844+caf0ec95`
const notices: Elsa[] = [
  {
    id: 'ELSA-2022-4803',
    release: '7',
    cves: ['CVE-2022-24903'],
    packages: [
      ['rsyslog', '0:8.24.0-57.0.4.el7_9.3', 'aarch64'],
      ['rsyslog', '0:8.24.0-57.0.1.el7_9.3', 'x86_64'],
    ],
  },
  {
    id: 'ELSA-2021-1024',
    severity: 'MODERATE',
    cves: ['CVE-2021-3449', 'CVE-2021-3450'],
    packages: [['openssl-libs', '1:1.1.1g-15.el8_3']],
  },
  {
    id: 'ELSA-2021-9151',
    cves: ['CVE-2021-3449'],
    packages: [['openssl-libs', '2:1.1.1g-15.ksplice1.el8_3']],
  },
  { id: 'ELSA-2021-9152', cves: ['CVE-2021-3451'], packages: [['openssl-libs', '10:1.1.1k-12.el8_9_fips']] },
  {
    id: 'ELSA-2020-2848',
    module: 'nodejs:10',
    title: 'nodejs:10 security update',
    cves: ['CVE-2020-1010'],
    packages: [['nodejs', module8('10.21')]],
  },
  {
    id: 'ELSA-2020-2852',
    module: 'nodejs:12',
    title: 'nodejs:12 security update',
    cves: ['CVE-2020-1012'],
    packages: [['nodejs', module8('12.18')]],
  },
  {
    id: 'ELSA-2024-1001',
    cves: ['CVE-2024-1001'],
    packages: [
      ['kernel-uek', '0:5.4.17-2136.328.3.el8uek'],
      ['bpftool', '0:5.4.17-2136.328.3.el8uek'],
    ],
  },
  {
    id: 'ELSA-2024-1002',
    cves: ['CVE-2024-1002'],
    packages: [
      ['kernel-uek', '0:5.15.0-204.147.6.2.el8uek'],
      ['perf', '0:5.15.0-204.147.6.2.el8uek'],
    ],
  },
  { id: 'ELSA-2024-1003', cves: ['CVE-2024-1003'], packages: [['kernel', '0:4.18.0-513.18.1.el8_9']] },
  {
    id: 'ELSA-2024-1004',
    release: '9',
    severity: 'N/A',
    cves: ['CVE-2024-1004'],
    packages: [['bash', '0:5.1.8-9.el9']],
  },
]

async function load(text: string, isComplete: boolean): Promise<void> {
  await importFile(scene.database.db, ['com.oracle.elsa-all.xml', text], { isComplete })
}

beforeAll(async () => {
  scene = await UploadScene.open()
})
afterAll(() => scene.close())

const ol = (name: string, more = '', release = '8.9') =>
  `pkg:rpm/ol/${name}?arch=x86_64&distro=ol-${release}${more}`

test('before its data are loaded a package is in no other state than that, and a part covers nothing', async () => {
  const purl = ol('kernel@4.18.0-513.el8')
  expect(await answerTo(scene, [purl])).toEqual({ found: [], states: { dataNotLoaded: 1 } })
  await load(oval(...notices.slice(-3)), false)
  expect(await answerTo(scene, [purl], { of: scene.other })).toEqual({
    found: ['CVE-2024-1003 high exact 4.18.0-513.18.1.el8_9'],
    states: { dataNotLoaded: 1 },
  })
})

const states = { covered: 1 }
const clean = { found: [], states }
const fixedBy = (id: string, severity: string, fixed: string, grade = 'exact') => ({
  found: [`${id} ${severity} ${grade} ${fixed}`],
  states,
})
const ssl = fixedBy('ELSA-2021-1024', 'medium', '1:1.1.1g-15.el8_3')
const label = (stream: string) => `&modularitylabel=${stream}:8030020200923:5f0b3b3c`
const build = (version: string) => `nodejs@${version}-1.module%2Bel8.1.0%2B7000%2Bcaf0ec95`

const table: [rule: string, purl: string, expected: object, os?: { name: string; version: string }][] = [
  ['affected', ol('openssl-libs@1.1.1g-12.el8_3', '&epoch=1'), ssl],
  ['fixed', ol('openssl-libs@1.1.1g-15.el8_3', '&epoch=1'), clean],
  ['another spelling', 'pkg:rpm/oracle/openssl-libs@1:1.1.1g-12.el8_3?distro=oracle-8.3', ssl],
  [
    'release by the operating system',
    'pkg:rpm/oraclelinux/openssl-libs@1:1.1.1g-12',
    ssl,
    { name: 'Oracle Linux Server', version: '8.3' },
  ],
  ['release by the version', 'pkg:rpm/ol/openssl-libs@1:1.1.1g-12.el8_3', ssl],
  ['another release', ol('openssl-libs@1.1.1g-12', '&epoch=1', '9.1'), clean],
  ['release not known', 'pkg:rpm/ol/openssl-libs@1:1.1.1g-12', { found: [], states: { releaseUnknown: 1 } }],
  [
    'a ksplice build meets fixes of ksplice builds',
    ol('openssl-libs@1.1.1g-14.ksplice1.el8_3', '&epoch=2'),
    fixedBy('CVE-2021-3449', 'high', '2:1.1.1g-15.ksplice1.el8_3'),
  ],
  ['a ksplice build that is fixed', ol('openssl-libs@1.1.1g-15.ksplice1.el8_3', '&epoch=2'), clean],
  [
    'a certified build meets fixes of those',
    ol('openssl-libs@1.1.1k-11.el8_9_fips', '&epoch=10'),
    fixedBy('CVE-2021-3451', 'high', '10:1.1.1k-12.el8_9_fips'),
  ],
  [
    'a module of the same stream',
    ol(build('10.20.0'), label('nodejs:10')),
    fixedBy('CVE-2020-1010', 'high', '10.21.0-1.module+el8.3.0+7844+caf0ec95'),
  ],
  [
    'a module that is fixed, below the fix of another stream',
    ol(build('10.24.0'), label('nodejs:10')),
    clean,
  ],
  [
    'a module without its label',
    ol(build('12.16.0')),
    fixedBy('CVE-2020-1012', 'high', '12.18.0-1.module+el8.3.0+7844+caf0ec95', 'possible'),
  ],
  ['what is no module', ol('nodejs@10.1.0-1.el8'), clean],
  [
    'UEK 6',
    ol('kernel-uek@5.4.17-2136.300.7.el8uek'),
    fixedBy('CVE-2024-1001', 'high', '5.4.17-2136.328.3.el8uek'),
  ],
  ['UEK 6 that is fixed, below the fix of UEK 7', ol('kernel-uek@5.4.17-2136.328.3.el8uek'), clean],
  [
    'UEK 7',
    ol('kernel-uek@5.15.0-100.96.32.el8uek'),
    fixedBy('CVE-2024-1002', 'high', '5.15.0-204.147.6.2.el8uek'),
  ],
  [
    'the ordinary kernel',
    ol('kernel@4.18.0-513.el8'),
    fixedBy('CVE-2024-1003', 'high', '4.18.0-513.18.1.el8_9'),
  ],
  ['tools of the ordinary kernel', ol('perf@4.18.0-513.18.1.el8_9'), clean],
  [
    'below every architecture',
    ol('rsyslog@8.24.0-57.el7', '', '7.9'),
    fixedBy('CVE-2022-24903', 'high', '8.24.0-57.0.1.el7_9.3'),
  ],
  [
    'fixed for one architecture',
    ol('rsyslog@8.24.0-57.0.1.el7_9.3', '', '7.9'),
    fixedBy('CVE-2022-24903', 'high', '8.24.0-57.0.4.el7_9.3', 'possible'),
  ],
  ['fixed for all', ol('rsyslog@8.24.0-57.0.4.el7_9.3', '', '7.9'), clean],
  ['no word of its own', 'pkg:rpm/ol/bash@5.1.8-6.el9', fixedBy('CVE-2024-1004', 'high', '5.1.8-9.el9')],
]

test('the whole file covers the releases', async () => {
  await load(oval(...notices), true)
  for (const [rule, purl, expected, os] of table) {
    const answered = await answerTo(scene, [purl], os === undefined ? {} : { os })
    expect({ rule, ...answered }).toEqual({ rule, ...expected })
  }
})
