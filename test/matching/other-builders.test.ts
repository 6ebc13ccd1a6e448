import { neighboursIn, type Neighbour, testNeighbours } from './neighbour-scene.ts'

/** Packages on a distribution that somebody else built, which tools list under its name: its records name the fixes of its own builds. */
const byVersion = neighboursIn(String.raw`
Docker | Debian:12 | a1 | <6:1-1 | pkg:deb/debian/a1@5%3A24.0.7-1~debian.12~bookworm?arch=source&distro=debian-12 | not_covered
Docker, by name | Ubuntu:22.04:LTS | containerd.io | <2-1 | pkg:deb/ubuntu/containerd.io@1.6.26-1?arch=amd64&distro=ubuntu-22.04 | not_covered
NodeSource | Debian:12 | a2 | <21-1 | pkg:deb/debian/a2@20.11.0-1nodesource1?arch=source&distro=debian-12 | not_covered
PostgreSQL | Debian:12 | a3 | <16-1 | pkg:deb/debian/a3@15.5-1.pgdg120%2B1?arch=source&distro=debian-12 | not_covered
PostgreSQL on Rocky Linux | Rocky Linux:9 | a4 | <16-1.el9 | pkg:rpm/rocky/a4@15.5-1PGDG.rhel9?arch=src&distro=rocky-9.3 | not_covered
nginx | Debian:12 | a5 | <2-1 | pkg:deb/debian/a5@1.25.3-1~bookworm?arch=source&distro=debian-12 | not_covered
nginx on AlmaLinux | AlmaLinux:9 | a6 | <2-1.el9 | pkg:rpm/almalinux/a6@1.24.0-1.el9.ngx?arch=x86_64&distro=almalinux-9.3 | not_covered
MariaDB | Ubuntu:22.04:LTS | a7 | <1:11-1 | pkg:deb/ubuntu/a7@1%3A10.11.6%2Bmaria~ubu2204?arch=source&distro=ubuntu-22.04 | not_covered
Sury | Debian:12 | a8 | <9-1 | pkg:deb/debian/a8@8.3.1-1%2B0~20240120.16%2Bdebian12~1.gbp1e0e6e%2Bdeb.sury.org?arch=source&distro=debian-12 | not_covered
Remi | Red Hat:enterprise_linux:9::appstream | a9 | <9-1.el9 | pkg:rpm/redhat/a9@8.3.1-1.el9.remi?arch=x86_64&distro=rhel-9.3 | not_covered
ELRepo | Rocky Linux:9 | b1 | <7-1.el9 | pkg:rpm/rocky/b1@6.6.8-1.el9.elrepo?arch=src&distro=rocky-9.3 | not_covered
a personal archive | Ubuntu:22.04:LTS | b2 | <3-1 | pkg:deb/ubuntu/b2@2.43.0-0ppa1~ubuntu22.04.1?arch=source&distro=ubuntu-22.04 | not_covered
Percona | Debian:12 | c1 | <9-1 | pkg:deb/debian/c1@8.0.36-28-1.bookworm?arch=source&distro=debian-12 | not_covered
Percona on Rocky Linux | Rocky Linux:8 | percona-server-server | <9-1.el8 | pkg:rpm/rocky/percona-server-server@8.0.36-28.1.el8?arch=src&distro=rocky-8.9 | not_covered
MySQL | Ubuntu:22.04:LTS | mysql-community-server | <9-1 | pkg:deb/ubuntu/mysql-community-server@8.0.36-1ubuntu22.04?arch=source&distro=ubuntu-22.04 | not_covered
MariaDB on Rocky Linux | Rocky Linux:9 | MariaDB-server | <12-1.el9 | pkg:rpm/rocky/MariaDB-server@10.11.6-1.el9?arch=src&distro=rocky-9.3 | not_covered
Zabbix | Debian:12 | c2 | <1:9-1 | pkg:deb/debian/c2@1%3A6.4.12-1%2Bdebian12?arch=source&distro=debian-12 | not_covered
Kubernetes | Debian:12 | kubectl | <2-1 | pkg:deb/debian/kubectl@1.29.3-1.1?arch=source&distro=debian-12 | not_covered
kubectl of Google | Debian:12 | kubectl | <2:1-1 | pkg:deb/debian/kubectl@1%3A528.0.0-0?arch=amd64&distro=debian-12 | not_covered
Elastic | Ubuntu:22.04:LTS | filebeat | <9 | pkg:deb/ubuntu/filebeat@8.13.0?arch=source&distro=ubuntu-22.04 | not_covered
MongoDB | Ubuntu:22.04:LTS | mongodb-org-server | <9 | pkg:deb/ubuntu/mongodb-org-server@7.0.5?arch=source&distro=ubuntu-22.04 | not_covered
a repository of EPEL | Rocky Linux:9 | c3 | <2-1.el9 | pkg:rpm/rocky/c3@1-1.el9?arch=src&distro=rocky-9.3&repository_id=epel | not_covered
EPEL before a release | Rocky Linux:9 | c4 | <2-1.el9 | pkg:rpm/rocky/c4@1-1.el9.next?arch=src&distro=rocky-9.3 | not_covered
the address of a repository | Rocky Linux:9 | c5 | <2-1.el9 | pkg:rpm/rocky/c5@1-1.el9?arch=src&distro=rocky-9.3&repository_url=https%3A%2F%2Fdl.fedoraproject.org%2Fpub%2Fepel%2F9%2F | not_covered
a build of Fedora | Rocky Linux:9 | c6 | <2-1.el9 | pkg:rpm/rocky/c6@1-1.fc40?arch=src&distro=rocky-9.3 | not_covered
another release of Amazon Linux | Rocky Linux:9 | c7 | <2-1.el9 | pkg:rpm/amazon/c7@1-1.amzn2?arch=x86_64&distro=amzn-2023 | not_covered
another release | Rocky Linux:9 | c8 | <2-1.el9 | pkg:rpm/rocky/c8@1-1.el8?arch=src&distro=rocky-9.3 | not_covered
Enterprise Linux on Amazon Linux | Rocky Linux:9 | d2 | <2-1.el9 | pkg:rpm/amzn/d2@1-1.el9?arch=x86_64&distro=amzn-2023 | not_covered
Enterprise Linux on Fedora | Rocky Linux:9 | d3 | <2-1.el9 | pkg:rpm/fedora/d3@1-1.el9?arch=src&distro=fedora-40 | not_covered
Enterprise Linux on openSUSE | openSUSE:Leap 15.5 | d4 | <2-1 | pkg:rpm/opensuse/d4@1-1.el8?arch=src&distro=opensuse-leap-15.5 | not_covered
taken from Enterprise Linux | Azure Linux:3 | d5 | <2-1.azl3 | pkg:rpm/azurelinux/d5@1-1.el9.azl3?arch=src&distro=azurelinux-3.0 | exact
a minor release | Rocky Linux:9 | c9 | <2-1.el9 | pkg:rpm/rocky/c9@1-1.el9_2?arch=src&distro=rocky-9.3 | exact
a repository of the distribution | Rocky Linux:9 | d1 | <2-1.el9 | pkg:rpm/rocky/d1@1-1.el9?arch=src&distro=rocky-9.3&repository_id=baseos | exact
kubectl of another kind of version | Debian:12 | kubectx | <2-1 | pkg:deb/debian/kubectx@0.9.5-1?arch=source&distro=debian-12 | exact
a backport of Ubuntu | Ubuntu:22.04:LTS | b3 | <2-1 | pkg:deb/ubuntu/b3@1.5-1~22.04.1?arch=source&distro=ubuntu-22.04 | exact
an update of Debian | Debian:12 | b4 | <2-1 | pkg:deb/debian/b4@1.5-1~deb12u1?arch=source&distro=debian-12 | exact
a mark in the middle of a word | Debian:12 | b5 | <2-1 | pkg:deb/debian/b5@1.5%2Bzppax-1?arch=source&distro=debian-12 | exact
`)

const suppliers: [name: string, answer: string][] = [
  ['NGINX Packaging <nginx-packaging@f5.com>', 'not_covered'],
  ['Docker <support@docker.com>', 'not_covered'],
  ['Fedora Project', 'not_covered'],
  ['Rocky Enterprise Software Foundation', 'exact'],
  ['Acme', 'exact'],
]
const bySupplier = suppliers.map(([name, answer], at): Neighbour => {
  const [neighbour] = neighboursIn(
    `${name} | Rocky Linux:9 | s${at} | <2-1.el9 | pkg:rpm/rocky/s${at}@1-1.el9?arch=src&distro=rocky-9.3 | ${answer}`,
  )
  if (neighbour === undefined) throw new Error('a line is a neighbour')
  return { ...neighbour, component: { ...neighbour.component, supplier: { name } } }
})
const origins: [what: string, fields: object, answer: string][] = [
  [
    'the address of a download',
    { externalReferences: [{ type: 'distribution', url: 'https://dl.fedoraproject.org/pub/epel/9/x.rpm' }] },
    'not_covered',
  ],
  [
    'a publisher beside a supplier',
    { supplier: { name: 'Acme' }, publisher: 'Fedora Project' },
    'not_covered',
  ],
  [
    'the author of what the distribution builds',
    { supplier: { name: 'Acme' }, publisher: 'HashiCorp' },
    'exact',
  ],
  [
    'the homepage of its project',
    { externalReferences: [{ type: 'distribution', url: 'https://nginx.org/download/nginx-1.24.0.tar.gz' }] },
    'exact',
  ],
  [
    'a download of the distribution',
    { externalReferences: [{ type: 'distribution', url: 'https://dl.rockylinux.org/x.rpm' }] },
    'exact',
  ],
]
const byOrigin = origins.map(([rule, fields, answer], at): Neighbour => {
  const [neighbour] = neighboursIn(
    `${rule} | Rocky Linux:9 | o${at} | <2-1.el9 | pkg:rpm/rocky/o${at}@1-1.el9?arch=src&distro=rocky-9.3 | ${answer}`,
  )
  if (neighbour === undefined) throw new Error('a line is a neighbour')
  return { ...neighbour, component: { ...neighbour.component, ...fields } }
})
const ofFedora = neighboursIn(
  'Fedora itself | Rocky Linux:9 | f1 | <2-1.fc40 | pkg:rpm/fedora/f1@1-1.fc40?arch=src&distro=fedora-40 | data_not_loaded',
).map((neighbour): Neighbour => ({
  ...neighbour,
  component: { ...neighbour.component, supplier: { name: 'Fedora Project' } },
}))

const all = [...byVersion, ...bySupplier, ...byOrigin, ...ofFedora]

testNeighbours(all)
