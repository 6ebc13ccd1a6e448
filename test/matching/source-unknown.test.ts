import { afterAll, beforeAll, expect, test } from 'vitest'
import { matchSbom } from '../../src/findings/changes/match-sbom.ts'
import { countCoverage, selectCoverage } from '../../src/inventory/coverage/coverage.ts'
import { listComponents } from '../../src/inventory/components/list-components.ts'
import { UploadScene } from '../support/upload-scene.ts'
import { testNow } from '../support/clock.ts'
import { record, matchTaken } from '../vulndata/support.ts'
import { loadRecords } from './match-support.ts'

/** Records of most distributions name sources: a package of unknown source cannot be looked up, and is not covered. */

let scene: UploadScene
let serial = 0

beforeAll(async () => {
  scene = await UploadScene.open()
  await load(
    about('Debian:12', 'openssl'),
    about('Rocky Linux:9', 'openssl'),
    about('Alpine:v3.18', 'busybox'),
  )
})
afterAll(() => scene.close())

function about(ecosystem: string, name: string, parts: Record<string, unknown> = {}): unknown {
  return record(`OSV-${ecosystem.replaceAll(/\W/g, '-')}-${name}`, '-', {
    affected: [
      {
        package: { ecosystem, name },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0' }] }],
      },
    ],
    ...parts,
  })
}

/** As the jobs of an import do. */
async function load(...records: unknown[]): Promise<void> {
  const { db } = scene.database
  await loadRecords(db, ...records)
  await matchTaken(db)
}

type Part = { purl: string; properties?: { name: string; value: string }[]; sourceInfo?: string }

const cyclonedx = (parts: readonly Part[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: `urn:uuid:c0b7d854-e37b-41ba-90e1-0000000${30_000 + serial}`,
  components: parts.map((one, at) => ({ type: 'library', name: `part${at}`, ...one })),
})

const spdx = (parts: readonly Part[]) => ({
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  name: 'image',
  documentNamespace: `https://x.example/${serial}`,
  packages: parts.map(({ purl, sourceInfo }, at) => ({
    SPDXID: `SPDXRef-${at}`,
    name: `part${at}`,
    ...(sourceInfo === undefined ? {} : { sourceInfo }),
    externalRefs: [{ referenceType: 'purl', referenceLocator: purl }],
  })),
})

async function uploaded(bom: object): Promise<string> {
  const { id: sbomId } = await scene.uploaded(JSON.stringify(bom))
  await matchSbom(scene.database.db, { workspaceId: scene.company.workspaceId, sbomId, now: testNow })
  return sbomId
}

/** State of the first component; counted coverage agrees with a look at every component. */
async function stateOf(sbomId: string): Promise<string> {
  const key = { workspaceId: scene.company.workspaceId, sbomId }
  const kept = await selectCoverage(scene.database.db, key)
  expect(await countCoverage(scene.database.db, key)).toEqual(kept)
  const query = { ...key, search: undefined, sort: 'name', cursor: undefined } as const
  const { rows } = await listComponents(scene.database.db, query)
  const first = rows.find(({ name }) => name === 'part0')
  const counted = Object.entries(kept).flatMap(([state, components]) => (components > 0 ? [state] : []))
  return `${first?.decidability ?? ''} of ${counted.join(' ')}${first?.reason === null ? '' : ', with a reason'}`
}

const deb = (name: string, more = '') => ({ purl: `pkg:deb/debian/${name}@1.0?distro=debian-12${more}` })
const rpm = (name: string, more = '') => ({ purl: `pkg:rpm/rocky/${name}@1.0-1.el9?distro=rocky-9.3${more}` })
const apk = (name: string, more = '') => ({ purl: `pkg:apk/alpine/${name}@1.0-r0?distro=alpine-3.18${more}` })
const trivy = { name: 'aquasecurity:trivy:SrcName', value: 'openssl' }
const covered = 'partly_loaded of partlyLoaded'
const unknown = 'source_unknown of sourceUnknown, with a reason'

const partly = 'source_unknown of partlyLoaded sourceUnknown, with a reason'
/** A document with it states sources as dpkg does. */
const stated = deb('libssl3', '&upstream=openssl')
const rebuild = (name: string, more = '') => ({
  purl: `pkg:deb/debian/${name}@1.0%2Bb1?distro=debian-12${more}`,
})

type Row = [rule: string, bom: (parts: Part[]) => object, parts: Part[], expected: string]

const table: Row[] = [
  ['deb, no source anywhere', cyclonedx, [deb('libssl3'), deb('libc6')], unknown],
  ['deb, no source anywhere, SPDX', spdx, [deb('libssl3'), deb('libc6')], unknown],
  ['rpm, no source anywhere', cyclonedx, [rpm('openssl-libs')], unknown],
  ['rpm, no source anywhere, SPDX', spdx, [rpm('openssl-libs')], unknown],
  ['its own upstream', cyclonedx, [deb('libssl3', '&upstream=openssl')], covered],
  ['its own property', cyclonedx, [{ ...deb('libssl3'), properties: [trivy] }], covered],
  ['its own words', spdx, [{ ...deb('libssl3'), sourceInfo: 'built package from: openssl 1.0' }], covered],
  [
    'a document that states sources leaves out those called alike',
    cyclonedx,
    [deb('zlib'), deb('libssl3', '&upstream=openssl')],
    covered,
  ],
  [
    'the header of every rpm has its source',
    spdx,
    [rpm('bash'), rpm('openssl-libs', '&upstream=openssl-1.0-1.el9.src.rpm')],
    partly,
  ],
  ['Trivy states every source', cyclonedx, [deb('zlib'), { ...deb('libssl3'), properties: [trivy] }], partly],
  [
    'Trivy states every source, SPDX',
    spdx,
    [deb('zlib'), { ...deb('libssl3'), sourceInfo: 'built package from: openssl 1.0' }],
    partly,
  ],
  ['dpkg states the source of a rebuild', cyclonedx, [rebuild('bash'), stated], partly],
  ['dpkg states the source of a rebuild, SPDX', spdx, [rebuild('bash'), stated], partly],
  [
    'where that of a rebuild is missing, others are',
    cyclonedx,
    [deb('zlib'), rebuild('bash'), stated],
    partly,
  ],
  [
    'a rebuild that states its source',
    cyclonedx,
    [deb('zlib'), rebuild('sh', '&upstream=bash%401.0')],
    covered,
  ],
  ...[
    'gcc-12-base',
    'libgcc-s1',
    'libstdc++6',
    'python3',
    'python3-minimal',
    'libpython3.11-stdlib',
    'linux-libc-dev',
    'linux-tools-6.8.0-45',
    'libzstd-dev',
    'libc6-dbg',
    'gir1.2-glib-2.0',
  ].map((name): Row => [`no source is called ${name}`, cyclonedx, [deb(name), stated], partly]),
  ...['gcc-12', 'python3.11', 'libcap2', 'linux-base', 'python3-openid', 'debconf'].map((name): Row => [
    `${name} is a source`,
    spdx,
    [deb(name), stated],
    covered,
  ]),
  [
    'sources of deb say nothing of rpm',
    cyclonedx,
    [rpm('bash'), deb('libssl3', '&upstream=openssl')],
    partly,
  ],
  [
    'no source is called as a built kernel',
    cyclonedx,
    [deb('linux-image-6.1.0-18-amd64'), deb('libssl3', '&upstream=openssl')],
    partly,
  ],
  ['a signature tells its source', cyclonedx, [deb('grub-efi-amd64-signed')], covered],
  ['a record names it', cyclonedx, [deb('openssl')], covered],
  ['a source package', cyclonedx, [deb('zlib', '&arch=source')], covered],
  [
    'the data name installed packages',
    cyclonedx,
    [{ purl: 'pkg:rpm/redhat/openssl-libs@1.0-1.el9?distro=rhel-9.3' }],
    'data_not_loaded of dataNotLoaded',
  ],
  ['apk, no origin anywhere', cyclonedx, [apk('scanelf')], unknown],
  ['apk, no origin anywhere, SPDX', spdx, [apk('scanelf')], unknown],
  ['a record names the origin', cyclonedx, [apk('busybox')], covered],
  ['a record names the origin that the name tells', cyclonedx, [apk('busybox-extras')], covered],
  [
    'a document that states origins leaves out those called alike',
    spdx,
    [apk('zlib'), apk('ssl_client', '&upstream=busybox')],
    covered,
  ],
  [
    'Wolfi names what is installed',
    cyclonedx,
    [{ purl: 'pkg:apk/wolfi/busybox@1.0-r0' }],
    'data_not_loaded of dataNotLoaded',
  ],
  [
    'no release either',
    cyclonedx,
    [{ purl: 'pkg:deb/debian/libssl3@1.0' }],
    'release_unknown of releaseUnknown, with a reason',
  ],
]

test.each(table)('%s', async (_, bom, parts, expected) => {
  serial += 1
  expect(await stateOf(await uploaded(bom(parts)))).toBe(expected)
})

test('a record that comes later names it, until it is withdrawn', async () => {
  const sbomId = await uploaded(cyclonedx([deb('late')]))
  expect(await stateOf(sbomId)).toBe(unknown)
  await load(about('Debian:12', 'late'))
  expect(await stateOf(sbomId)).toBe(covered)
  const withdrawn = { withdrawn: '2025-07-01T00:00:00Z', modified: '2025-07-01T00:00:00Z' }
  await load(about('Debian:12', 'late', withdrawn))
  expect(await stateOf(sbomId)).toBe(unknown)
})
