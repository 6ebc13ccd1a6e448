import { afterAll, beforeAll, expect, it } from 'vitest'
import { SbomResult } from '../../src/contract/sbom/result.ts'
import { testNow } from '../support/clock.ts'
import { createCompany, createFamilyToken } from '../support/company.ts'
import { drain } from '../support/drain.ts'
import { call } from '../support/http.ts'
import { readAs } from '../support/read-as.ts'
import { cyclonedx, UploadScene } from '../support/upload-scene.ts'
import { fixedIn, loadRecords } from '../matching/match-support.ts'

/** Scanners and generators call the same package differently: what names one package to a record names it to a statement. */

let scene: UploadScene

type Named = { id: string; ecosystem: string; record: string; component: string; stated: string }

const named: Named[] = [
  {
    id: 'CVE-2025-1001',
    ecosystem: 'Go',
    record: 'stdlib',
    component: 'pkg:golang/std@go1.21.3?goarch=amd64&goos=linux&type=module',
    stated: 'pkg:golang/stdlib@v1.21.3',
  },
  {
    id: 'CVE-2025-1002',
    ecosystem: 'Go',
    record: 'github.com/Acme/Pump',
    component: 'pkg:golang/github.com/acme/pump@v1.0.0',
    stated: 'pkg:golang/github.com%2FAcme%2FPump@v1.0.0',
  },
  {
    id: 'CVE-2025-1003',
    ecosystem: 'crates.io',
    record: 'left-pad',
    component: 'pkg:cargo/left_pad@1.0.0',
    stated: 'pkg:cargo/left-pad@1.0.0',
  },
  {
    id: 'CVE-2025-1004',
    ecosystem: 'Debian:12',
    record: 'left',
    component: 'pkg:deb/debian/left@1:1.0-1?arch=amd64&distro=debian-12',
    stated: 'pkg:deb/debian/left@1.0-1?arch=amd64&epoch=1',
  },
  {
    id: 'CVE-2025-1005',
    ecosystem: 'AlmaLinux:9',
    record: 'left',
    component: 'pkg:rpm/almalinux/left@1.0-1.el9?arch=x86_64&distro=almalinux-9',
    stated: 'pkg:rpm/alma/left@1.0-1.el9?arch=x86_64',
  },
  {
    id: 'CVE-2025-1006',
    ecosystem: 'RubyGems',
    record: 'left',
    component: 'pkg:gem/left@1.0.0-x86_64-linux',
    stated: 'pkg:gem/left@1.0.0',
  },
  {
    id: 'CVE-2025-1007',
    ecosystem: 'npm',
    record: 'left',
    component: 'pkg:npm/left@1.0.0%28react%4018.0.0%29',
    stated: 'pkg:npm/left@1.0.0',
  },
  {
    id: 'CVE-2025-1008',
    ecosystem: 'Maven',
    record: 'org.acme:left',
    component: 'pkg:maven/org.acme:left@1.0-20240102.030405-6',
    stated: 'pkg:maven/org.acme/left@1.0-SNAPSHOT',
  },
  {
    id: 'CVE-2025-1009',
    ecosystem: 'SwiftURL',
    record: 'https://github.com/acme/left',
    component: 'pkg:swift/https://github.com/acme/left.git@1.0.0',
    stated: 'pkg:swift/github.com/acme/left@1.0.0',
  },
  {
    id: 'CVE-2025-1010',
    ecosystem: 'Maven',
    record: 'org.acme:right',
    component: 'pkg:maven/org.acme/right@1.0.0',
    stated: 'pkg:maven/org.acme/right@1.0.0?type=jar',
  },
  {
    id: 'CVE-2025-1011',
    ecosystem: 'Debian:12',
    record: 'right',
    component: 'pkg:deb/debian/right@1.0-1?arch=amd64&distro=debian-12.5',
    stated: 'pkg:deb/debian/right@1.0-1?arch=amd64&distro=debian-12&upstream=left',
  },
]

beforeAll(async () => {
  scene = await UploadScene.open()
  const fixed = (ecosystem: string) => (ecosystem.includes(':') ? '1:2.0-1' : '2.0.0')
  const records = named.map(({ id, ecosystem, record }) => ({
    ...fixedIn(`GHSA-${id}`, ecosystem, record, fixed(ecosystem)),
    aliases: [id],
  }))
  await loadRecords(scene.database.db, ...records)
})
afterAll(() => scene.close())

it('a statement acts on a component that its SBOM spells otherwise', async () => {
  const company = await createCompany(scene.database.db, 'spellings')
  const { secret } = await createFamilyToken(scene.database.db, company, { kind: 'results' })
  const token = await scene.token(company)
  const components = named.map(({ id, component }) => ({ type: 'library', name: id, purl: component }))
  components.push({
    type: 'library',
    name: 'CVE-2025-1001',
    purl: 'pkg:golang/crypto/x509@go1.21.3?type=package',
  })
  const { id: sbomId } = await scene.uploaded(cyclonedx({ components }), { token })
  await drain(scene.database.db, testNow)
  const open = async () => {
    const { body } = await call(`${scene.http.url}/api/v1/sboms/${sbomId}?worst=500`, { token: secret })
    const { worst = [], matches } = readAs(SbomResult, body)
    return { open: worst.map(({ component }) => component.name).sort(), declared: matches.notAffected }
  }
  expect(await open()).toEqual({ open: named.map(({ id }) => id), declared: 0 })
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://acme.example/1',
    author: 'Acme',
    timestamp: '2026-01-01T00:00:00Z',
    version: 1,
    statements: named.map(({ id, stated }) => ({
      vulnerability: { name: id },
      products: [{ '@id': 'Unknown Product', subcomponents: [{ '@id': stated }] }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_present',
    })),
  }
  await scene.uploadedVex(JSON.stringify(document), { token })
  await drain(scene.database.db, testNow)
  expect(await open()).toEqual({ open: [], declared: named.length })
})
