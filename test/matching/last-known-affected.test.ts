import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ecosystems } from '../../src/identities/ecosystems.ts'
import { createIncidentScene } from '../incidents/incident-scene.ts'
import { maven } from '../support/parts.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { loadRecords, matchesOf } from './match-support.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  const records = packages.flatMap(([ecosystem, name]) =>
    bounds.map(([words]) => recordOf(ecosystem, name, words)),
  )
  await loadRecords(database.db, ...records)
})
afterAll(() => database.drop())

/** A package of each ecosystem: its name in records, and its purl with a `VERSION` placeholder. */
const packages: [ecosystem: string, name: string, purl: string][] = [
  ['npm', 'pump', 'pkg:npm/pump@VERSION'],
  ['PyPI', 'pump', 'pkg:pypi/pump@VERSION'],
  ['Maven', 'acme:pump', 'pkg:maven/acme/pump@VERSION'],
  ['Go', 'acme.example/pump', 'pkg:golang/acme.example/pump@vVERSION'],
  ['crates.io', 'pump', 'pkg:cargo/pump@VERSION'],
  ['RubyGems', 'pump', 'pkg:gem/pump@VERSION'],
  ['NuGet', 'Pump', 'pkg:nuget/Pump@VERSION'],
  ['Packagist', 'acme/pump', 'pkg:composer/acme/pump@VERSION'],
  ['Hex', 'pump', 'pkg:hex/pump@VERSION'],
  ['Pub', 'pump', 'pkg:pub/pump@VERSION'],
  ['Hackage', 'pump', 'pkg:hackage/pump@VERSION'],
  ['CRAN', 'pump', 'pkg:cran/pump@VERSION'],
  ['Julia', 'Pump', 'pkg:julia/Pump@VERSION'],
  ['Bitnami', 'pump', 'pkg:bitnami/pump@VERSION'],
  ['opam', 'pump', 'pkg:opam/pump@VERSION'],
  ['ConanCenter', 'pump', 'pkg:conan/pump@VERSION'],
  ['SwiftURL', 'github.com/acme/pump', 'pkg:swift/github.com/acme/pump@VERSION'],
  ['GitHub Actions', 'acme/pump', 'pkg:githubactions/acme/pump@VERSION'],
  ['Debian:12', 'pump', 'pkg:deb/debian/pump@VERSION?distro=debian-12'],
  ['Ubuntu:22.04:LTS', 'pump', 'pkg:deb/ubuntu/pump@VERSION?distro=ubuntu-22.04'],
  ['Alpine:v3.20', 'pump', 'pkg:apk/alpine/pump@VERSION?distro=alpine-3.20'],
  ['Wolfi', 'pump', 'pkg:apk/wolfi/pump@VERSION'],
  ['Chainguard', 'pump', 'pkg:apk/chainguard/pump@VERSION'],
  ['MinimOS', 'pump', 'pkg:apk/minimos/pump@VERSION'],
  ['VSCode', 'acme.pump', 'pkg:vscode-extension/acme/pump@VERSION'],
  ['Bioconductor', 'pump', 'pkg:bioconductor/pump@VERSION'],
  ['Docker Hardened Images', 'pump', 'pkg:dhi/pump@VERSION'],
  ['CleanStart', 'pump', 'pkg:apk/cleanstart/pump@VERSION'],
  ['Alpaquita:23', 'pump', 'pkg:apk/alpaquita/pump@VERSION?distro=alpaquita-23'],
  [
    'BellSoft Hardened Containers:23',
    'pump',
    'pkg:apk/bellsoft-hardened-containers/pump@VERSION?distro=bellsoft-hardened-containers-23',
  ],
  ['Echo', 'pump', 'pkg:deb/echo/pump@VERSION'],
  ['Rocky Linux:9', 'pump', 'pkg:rpm/rocky/pump@VERSION?distro=rocky-9'],
  ['AlmaLinux:9', 'pump', 'pkg:rpm/almalinux/pump@VERSION?distro=almalinux-9'],
  ['Red Hat:enterprise_linux:9::baseos', 'pump', 'pkg:rpm/redhat/pump@VERSION?distro=rhel-9'],
  ['SUSE:Linux Enterprise Server 15 SP5', 'pump', 'pkg:rpm/suse/pump@VERSION?distro=sles-15.5'],
  ['openSUSE:Leap 15.5', 'pump', 'pkg:rpm/opensuse/pump@VERSION?distro=opensuse-leap-15.5'],
  ['Mageia:9', 'pump', 'pkg:rpm/mageia/pump@VERSION?distro=mageia-9'],
  ['openEuler:24.03-LTS', 'pump', 'pkg:rpm/openeuler/pump@VERSION?distro=openeuler-24.03-LTS'],
  ['Photon OS:5.0', 'pump', 'pkg:rpm/photon/pump@VERSION?distro=photon-5.0'],
  ['Azure Linux:3', 'pump', 'pkg:rpm/azurelinux/pump@VERSION?distro=azurelinux-3.0'],
]

const bounds: [words: string, certain: string[], doubtful: string[]][] = [
  ['<= 1.5.0', ['1.2.0', '1.5.0'], ['1.6.0', '2.0.0']],
  ['< 1.5.0', ['1.2.0', '1.4.9'], ['1.5.0', '2.0.0']],
]

function idOf(ecosystem: string, words: string): string {
  return `GHSA-${packages.findIndex(([one]) => one === ecosystem)}-${words.length}`
}

/** A new package for each bound. */
function recordOf(ecosystem: string, name: string, words: string) {
  return {
    id: idOf(ecosystem, words),
    modified: '2025-06-01T00:00:00Z',
    affected: [
      {
        package: { ecosystem, name: `${name}${words.length}` },
        ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '1.0.0' }] }],
        database_specific: { last_known_affected_version_range: words },
      },
    ],
  }
}

describe.each(packages)('an open range of %s that says how far it is known', (ecosystem, _name, purl) => {
  it.each(bounds)('%s', async (words, certain, doubtful) => {
    const id = idOf(ecosystem, words)
    const bare = purl.replace('pump@', `pump${words.length}@`).replace('Pump@', `Pump${words.length}@`)
    const found = (version: string) => matchesOf(database.db, { purl: bare.replace('VERSION', version) })
    expect(await found('0.9.0')).toEqual([])
    for (const version of certain) expect(await found(version), version).toEqual([`${id} exact`])
    for (const version of doubtful)
      expect(await found(version), version).toEqual([`${id} possible beyond_last_known`])
  })
})

/** No such bound occurs for packages keyed by repository. */
const byRepository = ['GIT', 'OSS-Fuzz', 'Linux', 'Android', 'GHC']

/** Distribution notices that OSV lacks only name fixes. */
const outsideOsv = ecosystems.filter((ecosystem) => ecosystem.outsideOsv === true).map(({ name }) => name)

it('is compared for every other ecosystem', () => {
  const named = new Set([
    ...byRepository,
    ...outsideOsv,
    ...packages.map(([ecosystem]) => ecosystem.split(':')[0]),
  ])
  expect(ecosystems.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
})

it('counts each of two such ends on one package', async () => {
  const affected = ['<= 1.5.0', '<= 1.2.0'].map((words) => ({
    package: { ecosystem: 'Maven', name: 'acme:twice' },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '1.0.0' }] }],
    database_specific: { last_known_affected_version_range: words },
  }))
  await loadRecords(database.db, { id: 'GHSA-twice', modified: '2025-06-01T00:00:00Z', affected })
  expect(await matchesOf(database.db, { purl: 'pkg:maven/acme/twice@1.4.0' })).toEqual(['GHSA-twice exact'])
})

it('opens an incident up to the last known version, and none above it', async () => {
  const scene = await createIncidentScene()
  try {
    await loadRecords(scene.db, {
      id: 'GHSA-open',
      modified: '2025-06-01T00:00:00Z',
      aliases: ['CVE-2026-1234'],
      affected: [
        {
          package: { ecosystem: 'Maven', name: 'acme:pump' },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '1.0.0' }] }],
          database_specific: { last_known_affected_version_range: '< 1.5.0' },
        },
      ],
    })
    await scene.list('CVE-2026-1234')
    await scene.upload(await scene.family('Newer'), [maven('acme:pump', '1.5.0')])
    await scene.open()
    expect(await scene.incidents()).toEqual([])
    await scene.upload(await scene.family('Known'), [maven('acme:pump', '1.4.9')])
    await scene.open()
    expect((await scene.incidents()).map(({ title }) => title)).toEqual(['CVE-2026-1234 in Known'])
  } finally {
    await scene.drop()
  }
})
