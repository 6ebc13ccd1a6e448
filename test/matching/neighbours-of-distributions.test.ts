import { neighboursIn, type Neighbour, testNeighbours } from './neighbour-scene.ts'

/**
 * Signed sources, architectures, actions, and purl spellings of tools. Expected answers are those of dpkg, rpm, go/version and the purl
 * specification.
 */
const table = neighboursIn(String.raw`
signed loader by its own source | Ubuntu:22.04:LTS | grub2-signed | <1.187.6 | pkg:deb/ubuntu/grub-efi-amd64-signed@1.187.3%2B2.06-2ubuntu14.1?arch=amd64&distro=ubuntu-22.04&upstream=grub2-signed%401.187.3 | exact
signed loader by its own source, fixed | Ubuntu:24.04:LTS | grub2-signed | <1.202.5 | pkg:deb/ubuntu/grub-efi-arm64-signed@1.202.5%2B2.12-1ubuntu7.3?arch=arm64&distro=ubuntu-24.04&upstream=grub2-signed%401.202.5 | -
signed loader for 32 bits | Debian:10 | grub2 | <2.06-3~deb10u4 | pkg:deb/debian/grub-efi-ia32-signed@1%2B2.06%2B3~deb10u1?arch=amd64&distro=debian-10&upstream=grub-efi-ia32-signed%401%2B2.06%2B3~deb10u1 | exact
signed loader for 32 bits, fixed | Debian:11 | grub2 | <2.06-3~deb11u6 | pkg:deb/debian/grub-efi-ia32-signed@1%2B2.06%2B3~deb11u6?arch=i386&distro=debian-11&upstream=grub-efi-ia32-signed | -
signed loader of Ubuntu | Ubuntu:25.10 | grub2 | <2.12-1ubuntu7.3 | pkg:deb/ubuntu/grub-efi-amd64-signed@1.202.2%2B2.12-1ubuntu7?arch=amd64&distro=ubuntu-25.10&upstream=grub2-signed%401.202.2 | exact
signed loader without the source’s version | Ubuntu:20.04:LTS | grub2-signed | <1.187.6~20.04.1 | pkg:deb/ubuntu/grub-efi-amd64-signed@1.173.2%2B2.04-1ubuntu26?arch=amd64&distro=ubuntu-20.04&upstream=grub2-signed | exact
signed shim of Ubuntu | Ubuntu:24.04:LTS | shim | <15.8-0ubuntu1 | pkg:deb/ubuntu/shim-signed@1.57%2B15.7-0ubuntu1?arch=amd64&distro=ubuntu-24.04&upstream=shim-signed | exact
signed shim of Ubuntu, fixed | Ubuntu:22.04:LTS | shim | <15.8-0ubuntu1 | pkg:deb/ubuntu/shim-signed@1.58%2B15.8-0ubuntu1?arch=amd64&distro=ubuntu-22.04&upstream=shim-signed | -
helpers of shim of Debian | Debian:12 | shim | <15.8-1~deb12u1 | pkg:deb/debian/shim-helpers-amd64-signed@1%2B15.7%2B1?arch=amd64&distro=debian-12&upstream=shim-helpers-amd64-signed | exact
hardware enablement | Ubuntu:22.04:LTS | linux-hwe-6.8 | <6.8.0-40.40~22.04.3 | pkg:deb/ubuntu/linux-image-6.8.0-39-generic@6.8.0-39.39~22.04.1?arch=amd64&distro=ubuntu-22.04&upstream=linux-signed-hwe-6.8 | exact
plain signed kernel of Ubuntu | Ubuntu:24.04:LTS | linux | <6.8.0-50.51 | pkg:deb/ubuntu/linux-image-6.8.0-49-generic@6.8.0-49.49?arch=amd64&distro=ubuntu-24.04&upstream=linux-signed | exact
signed kernel for arm | Debian:13 | linux | <6.12.57-1 | pkg:deb/debian/linux-image-6.12.48%2Bdeb13-arm64@6.12.48-1?arch=arm64&distro=debian-13&upstream=linux-signed-arm64%406.12.48%2B1 | exact
signed kernel for arm, fixed | Debian:11 | linux | <5.10.1-1 | pkg:deb/debian/linux-image-5.10.0-1-arm64@5.10.1-1?arch=arm64&distro=debian-11&upstream=linux-signed-arm64%405.10.1%2B1 | -
boot loader with one number | Debian:14 | systemd | <258-2 | pkg:deb/debian/systemd-boot-efi-amd64-signed@258%2B1?arch=amd64&distro=debian-14&upstream=systemd-boot-efi-amd64-signed | exact
boot loader with one number, fixed | Debian:13 | systemd | <258-2 | pkg:deb/debian/systemd-boot-efi-amd64-signed@258%2B2?arch=amd64&distro=debian-13&upstream=systemd-boot-efi-amd64-signed | -
boot loader with one number behind its signature | Debian:12 | systemd | <258~rc2-2 | pkg:deb/debian/systemd-boot-efi-arm64-signed@1%2B258~rc2%2B1?arch=arm64&distro=debian-12&upstream=systemd-boot-efi-arm64-signed | exact
firmware updater | Debian:12 | fwupd | <1.8.13-1 | pkg:deb/debian/fwupd-amd64-signed@1%2B1.8.12%2B2?arch=amd64&distro=debian-12&upstream=fwupd-amd64-signed | exact
type in capitals | npm | x1 | <2.0.0 | pkg:NPM/x1@1.0.0 | exact
scheme in capitals | npm | x2 | <2.0.0 | PKG:npm/x2@1.0.0 | exact
slashes behind the scheme | npm | x3 | <2.0.0 | pkg://npm/x3@1.0.0 | exact
qualifiers without values | npm | x4 | <2.0.0 | pkg:npm/x4@1.0.0?foo=&vcs_url= | exact
a subpath | npm | x5 | <2.0.0 | pkg:npm/x5@1.0.0#dist/index.js | exact
an escaped version | npm | x6 | <2.0.0 | pkg:npm/x6@1%2E0%2E0 | exact
a build | npm | x7 | <2.0.0 | pkg:npm/x7@2.0.0%2Bbuild.1 | -
a wheel | PyPI | x8 | <2.0 | pkg:pypi/X8@1.0?extension=whl&qualifier=py3-none-any | exact
packages of Go itself | Go | stdlib | [{"introduced":"1.90.0-0"},{"fixed":"1.90.6"}] | pkg:golang/stdlib@1.90.5#net/http | exact
Go as Go writes it | Go | stdlib | [{"introduced":"1.91.0-0"},{"fixed":"1.91.6"}] | pkg:golang/std@go1.91.5 | exact
a candidate of Go | Go | stdlib | [{"introduced":"1.92.0-0"},{"fixed":"1.92.0-rc.2"}] | pkg:golang/stdlib@go1.92rc1 | exact
the candidate with the fix | Go | stdlib | [{"introduced":"1.93.0-0"},{"fixed":"1.93.0-rc.2"}] | pkg:golang/stdlib@go1.93rc2 | -
a vendor’s candidate | Go | stdlib | [{"introduced":"1.94.0-0"},{"fixed":"1.94.0-rc.2"}] | pkg:golang/stdlib@go1.94rc1-bigcorp | exact
an experiment in words | Go | toolchain | [{"introduced":"1.95.0-0"},{"fixed":"1.95.6"}] | pkg:golang/toolchain@go1.95.6%20X:nocoverageredesign | -
a gem for Java | RubyGems | x9 | <1.0.1 | pkg:gem/x9@1.0.0?platform=java | exact
namespace in capitals | Debian:12 | y1 | <2-1 | pkg:deb/Debian/y1@1-1?arch=source&distro=Debian-12 | exact
a bare plus | Debian:12 | y2 | <1.0+dfsg-2 | pkg:deb/debian/y2@1.0+dfsg-1?arch=source&distro=debian-12.5 | exact
an escaped tilde | Debian:12 | y3 | <2-1 | pkg:deb/debian/y3@2-1%7Edeb12u1?arch=source&distro=debian-bookworm | exact
a release that is not out | Debian:12 | y4 | <2-1 | pkg:deb/debian/y4@1-1?arch=source&distro=debian-sid | release_unknown
epoch twice | Rocky Linux:9 | y5 | <1:2.0-2.el9 | pkg:rpm/rocky/y5@1%3A2.0-1.el9?arch=src&distro=rocky-9&epoch=1 | exact
epoch of zero | Rocky Linux:9 | y6 | <2.0-2.el9 | pkg:rpm/rocky/y6@2.0-1.el9?arch=src&distro=rocky-9.3&epoch=0 | exact
an epoch that the record has not | Rocky Linux:9 | y7 | <9.0-1.el9 | pkg:rpm/rocky/y7@2.0-1.el9?arch=src&distro=rocky-9&epoch=1 | -
minor release | AlmaLinux:9 | y8 | <2-2.el9 | pkg:rpm/almalinux/y8@2-1.el9?arch=x86_64&distro=almalinux-9.3 | exact
no namespace | Alpine:v3.20 | y9 | <2-r1 | pkg:apk/y9@1-r0?distro=alpine-3.20.1 | exact
an action in capitals | GitHub Actions | owner/z1 | <2.0.0 | pkg:githubactions/Owner/Z1@v1.2.3 | exact
a workflow in a repository | GitHub Actions | owner/z2 | <2.0.0 | pkg:githubactions/owner/z2/.github/workflows/x.yml@v1.2.3 | exact
a line of an action | GitHub Actions | owner/z3 | <2.0.0 | pkg:githubactions/owner/z3@v1 | possible
an action as a repository | GitHub Actions | owner/z4 | <2.0.0 | pkg:github/owner/z4@v1.2.3#sub | exact
an action by its commit | GitHub Actions | owner/z5 | <2.0.0 | pkg:githubactions/owner/z5@7ca2d6bd0a0b0c0d0e0f1a1b1c1d1e1f2a2b2c2d | uncomparable
an action that GitHub counts with stars | GitHub Actions | owner/z6 | <2.0.0 | pkg:githubactions/owner/z6@1.%2A.%2A | possible
`)

/** Per architecture: `x86_64` fixed in r1, `aarch64` in r3. */
const apart = neighboursIn(String.raw`
x86_64 | Wolfi | w1 | <1-r1 | pkg:apk/wolfi/w1@1-r2?arch=x86_64 | -
aarch64 | Wolfi | w2 | <1-r1 | pkg:apk/wolfi/w2@1-r2?arch=aarch64 | exact
amd64 is x86_64 | Wolfi | w3 | <1-r1 | pkg:apk/wolfi/w3@1-r0?arch=amd64 | exact
arm64 is aarch64 | Chainguard | w4 | <1-r1 | pkg:apk/chainguard/w4@1-r2?arch=arm64 | exact
no architecture | Wolfi | w5 | <1-r1 | pkg:apk/wolfi/w5@1-r2 | possible
every architecture | Wolfi | w6 | <1-r1 | pkg:apk/wolfi/w6@1-r2?arch=noarch | possible
by origin | Chainguard | w7 | <1-r1 | pkg:apk/chainguard/w7-libs@1-r2?arch=aarch64&upstream=w7 | exact
by origin, the other one | MinimOS | w8 | <1-r1 | pkg:apk/minimos/w8-libs@1-r2?arch=x86_64&upstream=w8 | -
behind both | Wolfi | w9 | <1-r1 | pkg:apk/wolfi/w9@1-r3?arch=aarch64 | -
a third one | Wolfi | w10 | <1-r1 | pkg:apk/wolfi/w10@1-r0?arch=riscv64 | -
`).map((neighbour): Neighbour => {
  const { affected: [entry] = [] } = neighbour.record as {
    affected?: { package: { ecosystem: string; name: string } }[]
  }
  const { ecosystem = '', name = '' } = entry?.package ?? {}
  const affected = [['x86_64', '1-r1'] as const, ['aarch64', '1-r3'] as const].map(([arch, fixed]) => ({
    package: { ecosystem, name, purl: `pkg:apk/${ecosystem.toLowerCase()}/${name}?arch=${arch}` },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
  }))
  return { ...neighbour, record: { ...neighbour.record, affected } as { id: string } }
})

const all = [...table, ...apart]

testNeighbours(all)
