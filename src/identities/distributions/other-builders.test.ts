import { expect, it } from 'vitest'
import type { SbomComponent } from '../../formats/sbom/document.ts'
import { identify } from '../identify.ts'
import { thing } from '../identity-table.ts'
import { noSurroundings } from '../surroundings.ts'
import { builderByOrigin } from './other-builders.ts'

const debian = 'pkg:deb/debian/vault@1.0-1nodesource1?distro=debian-12&repository_url=https://repo.mysql.com'
const rpm = 'pkg:rpm/redhat/percona-x@1.0-1?distro=redhat-9&repository_url=https://repo.mysql.com'
const plain = 'pkg:deb/debian/x@1.0-1?distro=debian-12'
const fedora = 'pkg:rpm/fedora/x@1.0-1.fc39?distro=fedora-39&repository_id=epel'

/** Several signs in one package, each row with one less than the row above. */
it.each<[what: string, purl: string, fields: Partial<SbomComponent>, builder: string]>([
  ['the version', debian, { supplier: 'Grafana Labs' }, 'NodeSource'],
  ['the name', debian.replace('nodesource1', ''), { supplier: 'Grafana Labs' }, 'HashiCorp'],
  ['the name of an rpm', rpm, { supplier: 'Grafana Labs' }, 'Percona'],
  ['the supplier', rpm.replace('percona-', ''), { supplier: 'Grafana Labs' }, 'Grafana Labs'],
  ['the repository', rpm.replace('percona-', ''), { origin: 'RPM Fusion' }, 'MySQL'],
  [
    'its packager beside it',
    plain,
    { origin: 'Fedora Copr\nhttps://download.docker.com' },
    'A project of Copr',
  ],
  ['its place', plain, { origin: 'Grafana Labs\nhttps://download.docker.com' }, 'Docker'],
  ['another than the distribution itself', fedora, { supplier: 'RPM Fusion' }, 'RPM Fusion'],
])('%s tells who built a package', (_what, purl, fields, builder) => {
  const { decidability, reason } = identify(thing({ purl, ...fields }), noSurroundings)
  expect(decidability).toBe('not_covered')
  expect(reason).toContain(`${builder} built this package`)
})

it.each([
  [undefined, null],
  ['Grafana Labs', null],
  ['Fedora Project\nhttps://download.docker.com', 'EPEL'],
  ['https://example.com\nhttps://download.docker.com', 'Docker'],
])('the origin %j is of %j', (origin, builder) => {
  expect(builderByOrigin(thing(origin === undefined ? {} : { origin }))).toBe(builder)
})

it('counts the letters of a mark as its builder writes them', () => {
  const built = (version: string) =>
    identify(thing({ purl: plain.replace('1.0-1', version) }), noSurroundings)
  expect(built('1.0-1PGDG22').reason).toContain('The PostgreSQL project')
  expect(built('1.0-1PPA1').decidability).toBe('covered')
})
