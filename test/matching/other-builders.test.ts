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
const ofFedora = neighboursIn(
  'Fedora itself | Rocky Linux:9 | f1 | <2-1.fc40 | pkg:rpm/fedora/f1@1-1.fc40?arch=src&distro=fedora-40 | data_not_loaded',
).map((neighbour): Neighbour => ({
  ...neighbour,
  component: { ...neighbour.component, supplier: { name: 'Fedora Project' } },
}))

const all = [...byVersion, ...bySupplier, ...ofFedora]

testNeighbours(all)
