import { describe, expect, it } from 'vitest'
import type { OperatingSystem, SbomComponent } from '../../formats/sbom/document.ts'
import { identityRow, readTable, thing } from '../identity-table.ts'
import type { ComponentIdentity } from '../component-identity.ts'
import { identify } from '../identify.ts'
import { noSurroundings } from '../surroundings.ts'

function ofPurl(purl: string, operatingSystem: OperatingSystem | null = null): ComponentIdentity {
  return identify(thing({ purl }), { ...noSurroundings, operatingSystem })
}

/**
 * Rule, purl, and what becomes of it: ecosystem | name | version | release | stream | decidability, with `-` for none and
 * `?` for an unknown release.
 */
const systems = readTable(`
Debian source and its version :: pkg:deb/debian/librtmp1@2.4+2015.git-1-2+b2?upstream=rtmpdump%402.4+2015.git-1-2&distro=debian-11 => Debian | rtmpdump | 2.4+2015.git-1-2 | 11 | - | covered
Debian source of the same version :: pkg:deb/debian/libssl1.1@1.1.1n-0+deb11u3?upstream=openssl&distro=debian-11 => Debian | openssl | 1.1.1n-0+deb11u3 | 11 | - | covered
Debian, distro_name :: pkg:deb/debian/x@1.0-2?distro_name=bookworm => Debian | x | 1.0-2 | 12 | - | covered
Debian as JFrog Xray writes it :: pkg:deb/debian:buster:apt@1.8.2.2 => Debian | apt | 1.8.2.2 | 10 | - | covered
Ubuntu as JFrog Xray writes it :: pkg:deb/ubuntu:jammy:curl@7.81.0-1 => Ubuntu | curl | 7.81.0-1 | 22.04 | - | covered
Debian as Docker Scout writes it :: pkg:deb/debian/x@1.0-2?os_distro=bookworm&os_name=debian&os_version=12 => Debian | x | 1.0-2 | 12 | - | covered
the distro counts before the rest :: pkg:deb/debian/x@1.0-2?distro=debian-11&os_name=debian&os_version=12 => Debian | x | 1.0-2 | 11 | - | covered
another system says nothing :: pkg:deb/debian/x@1.0-2?os_name=ubuntu&os_version=22.04 => Debian | x | 1.0-2 | ? | - | release_unknown
Debian rebuild :: pkg:deb/debian/libx@1.0-2+b1?upstream=x&distro=debian-12 => Debian | x | 1.0-2 | 12 | - | covered
Debian without source :: pkg:deb/debian/curl@7.88.1-10?distro=debian-12 => Debian | curl | 7.88.1-10 | 12 | - | covered
epoch behind an escape :: pkg:deb/debian/x@1%3A1.0-1?distro=bookworm => Debian | x | 1:1.0-1 | 12 | - | covered
epoch in the open :: pkg:deb/debian/x@1:1.0-1?distro=bookworm => Debian | x | 1:1.0-1 | 12 | - | covered
epoch as qualifier :: pkg:deb/debian/x@1.0-1?epoch=1&distro=bookworm => Debian | x | 1:1.0-1 | 12 | - | covered
epoch twice is one :: pkg:deb/debian/x@1:1.0-1?epoch=1&distro=bookworm => Debian | x | 1:1.0-1 | 12 | - | covered
epoch zero is none :: pkg:deb/debian/x@0:1.0-1?epoch=0&distro=bookworm => Debian | x | 1.0-1 | 12 | - | covered
epoch of the built package only :: pkg:deb/ubuntu/bsdutils@1:2.37.2-4ubuntu3?upstream=util-linux%402.37.2-4ubuntu3&distro=ubuntu-22.04 => Ubuntu | util-linux | 2.37.2-4ubuntu3 | 22.04 | - | covered
signed kernel of Debian, version of the built package :: pkg:deb/debian/linux-image-6.12.48%2Bdeb13-amd64@6.12.48-1?distro=debian-13&upstream=linux-signed-amd64%406.12.48%2B1 => Debian | linux | 6.12.48-1 | 13 | - | covered
signed kernel of Ubuntu :: pkg:deb/ubuntu/linux-image-6.8.0-40-generic@6.8.0-40.40~22.04.3?distro=ubuntu-22.04&upstream=linux-signed-hwe-6.8 => Ubuntu | linux-hwe-6.8 | 6.8.0-40.40~22.04.3 | 22.04 | - | covered
signed kernel of a cloud :: pkg:deb/ubuntu/linux-image-azure@5.15.0-1050.57?distro=ubuntu-22.04&upstream=linux-signed-azure => Ubuntu | linux-azure | 5.15.0-1050.57 | 22.04 | - | covered
signed GRUB of Ubuntu :: pkg:deb/ubuntu/grub-efi-amd64-signed@1.187.6~20.04.1%2B2.06-2ubuntu14.4?distro=ubuntu-20.04&upstream=grub2-signed%401.187.6~20.04.1 => Ubuntu | grub2 | 2.06-2ubuntu14.4 | 20.04 | - | covered
signed GRUB of Debian :: pkg:deb/debian/grub-efi-amd64-signed@1%2B2.06%2B13%2Bdeb12u1?distro=debian-12 => Debian | grub2 | 2.06-13+deb12u1 | 12 | - | covered
signed GRUB of Debian with its source :: pkg:deb/debian/grub-efi-amd64-signed@1%2B2.06%2B13%2Bdeb12u1?distro=debian-12&upstream=grub-efi-amd64-signed => Debian | grub2 | 2.06-13+deb12u1 | 12 | - | covered
signed shim of Ubuntu :: pkg:deb/ubuntu/shim-signed@1.51.3%2B15.7-0ubuntu1?distro=ubuntu-22.04&upstream=shim-signed%401.51.3 => Ubuntu | shim | 15.7-0ubuntu1 | 22.04 | - | covered
signed shim of Debian in its updates :: pkg:deb/debian/shim-signed@1.44~1%2Bdeb12u1%2B15.8-1~deb12u1?distro=debian-12&upstream=shim-signed%401.44~1%2Bdeb12u1 => Debian | shim | 15.8-1~deb12u1 | 12 | - | covered
helpers of shim :: pkg:deb/debian/shim-helpers-amd64-signed@1%2B15.8%2B1~deb12u1?distro=debian-12&upstream=shim-helpers-amd64-signed => Debian | shim | 15.8-1~deb12u1 | 12 | - | covered
signed fwupd of Debian :: pkg:deb/debian/fwupd-amd64-signed@1:1.4%2B1?distro=debian-12&upstream=fwupd-efi-amd64-signed%401:1.4%2B1 => Debian | fwupd-efi | 1:1.4-1 | 12 | - | covered
signed fwupd of Ubuntu :: pkg:deb/ubuntu/fwupd-signed@1.27.1ubuntu7%2B1.2.10-1ubuntu2?distro=ubuntu-20.04&upstream=fwupd-signed%401.27.1ubuntu7 => Ubuntu | fwupd | 1.2.10-1ubuntu2 | 20.04 | - | covered
signed systemd-boot :: pkg:deb/debian/systemd-boot-efi-amd64-signed@257.8-1?distro=debian-13&upstream=systemd-boot-efi-amd64-signed => Debian | systemd | 257.8-1 | 13 | - | covered
signed kernel of another line :: pkg:deb/debian/linux-image-5.10-amd64@5.10.218-1~deb10u1?distro=debian-10&upstream=linux-signed-5.10-amd64%405.10.218%2B1~deb10u1 => Debian | linux-5.10 | 5.10.218-1~deb10u1 | 10 | - | covered
the source with the signature :: pkg:deb/debian/linux-signed-amd64@6.1.76%2B1?arch=source&distro=debian-12 => Debian | linux | 6.1.76-1 | 12 | - | covered
no signature of a kernel, whatever the rest :: pkg:deb/debian/s390-tools-signed@2.25.0-2?arch=s390x&distro=debian-12 => Debian | s390-tools | 2.25.0-2 | 12 | - | covered
Debian hint :: pkg:deb/debian/gzip@1.10-4+deb11u1?arch=amd64 => Debian | gzip | 1.10-4+deb11u1 | 11 | - | covered
Debian release unknown :: pkg:deb/debian/bash@5.1-2?arch=amd64 => Debian | bash | 5.1-2 | ? | - | release_unknown
Debian unstable :: pkg:deb/debian/bash@5.1-2?distro=debian-unstable => Debian | bash | 5.1-2 | ? | - | release_unknown
the text of another distribution :: pkg:deb/debian/bash@5.1-2?distro=ubuntu-22.04 => Debian | bash | 5.1-2 | ? | - | release_unknown
Ubuntu Pro :: pkg:deb/ubuntu/curl@7.58.0-2ubuntu3.24+esm1?distro=ubuntu-18.04 => Ubuntu | curl | 7.58.0-2ubuntu3.24+esm1 | 18.04 | esm | covered
Ubuntu FIPS :: pkg:deb/ubuntu/openssl@1.1.1f-1ubuntu2.fips.7?distro=focal => Ubuntu | openssl | 1.1.1f-1ubuntu2.fips.7 | 20.04 | fips | covered
Ubuntu without version :: pkg:deb/ubuntu/curl?distro=ubuntu-22.04 => Ubuntu | curl | - | 22.04 | - | no_version
Alpine origin :: pkg:apk/alpine/libssl3@3.1.4-r5?upstream=openssl&distro=alpine-3.18.4 => Alpine | openssl | 3.1.4-r5 | 3.18 | - | covered
Alpine bare release :: pkg:apk/alpine/busybox@1.35.0-r17?distro=3.16.2 => Alpine | busybox | 1.35.0-r17 | 3.16 | - | covered
old Syft type of Alpine :: pkg:alpine/libcrypto1.1@1.1.1q-r0?upstream=openssl&distro=alpine-3.15.6 => Alpine | openssl | 1.1.1q-r0 | 3.15 | - | covered
Wolfi by package, no release :: pkg:apk/wolfi/libssl3@3.1.4-r5?upstream=openssl&distro=wolfi-20230201 => Wolfi | libssl3 | 3.1.4-r5 | - | - | covered
the text of another distribution, no releases :: pkg:apk/wolfi/curl@8.0-r0?distro=alpine-3.18 => Wolfi | curl | 8.0-r0 | - | - | covered
Wolfi by architecture :: pkg:apk/wolfi/haproxy@3.1.7-r1?arch=x86_64&distro=wolfi-20230201 => Wolfi | haproxy | 3.1.7-r1 | - | arch:x86_64 | covered
Alpine of any architecture :: pkg:apk/alpine/busybox@1.35.0-r17?arch=x86_64&distro=3.16.2 => Alpine | busybox | 1.35.0-r17 | 3.16 | - | covered
Chainguard :: pkg:apk/chainguard/curl@8.0-r0 => Chainguard | curl | 8.0-r0 | - | - | covered
Alpaquita by source, in its channel :: pkg:apk/alpaquita/libssl3@3.1.4-r5?upstream=openssl&distro=alpaquita-stream => Alpaquita | openssl | 3.1.4-r5 | stream | - | covered
Alpaquita, release unknown :: pkg:apk/alpaquita/curl@8.0-r0 => Alpaquita | curl | 8.0-r0 | ? | - | release_unknown
BellSoft :: pkg:apk/bellsoft-hardened-containers/curl@8.0-r0?distro=bellsoft-hardened-containers-23 => BellSoft Hardened Containers | curl | 8.0-r0 | 23 | - | covered
CleanStart, no releases :: pkg:apk/cleanstart/curl@8.0-r0?distro=3.20 => CleanStart | curl | 8.0-r0 | - | - | covered
Echo, no releases :: pkg:deb/echo/libssl3@3.0.11-1?upstream=openssl => Echo | openssl | 3.0.11-1 | - | - | covered
patched by Root :: pkg:apk/alpine/rootio-curl@8.0-r10071?distro=3.18 => - | pkg:apk/alpine/rootio-curl | 8.0-r10071 | ? | - | not_covered
patched by TuxCare :: pkg:rpm/almalinux/openssl@1.1.1k-7.el8_6.tuxcare.els3?distro=almalinux-8 => - | pkg:rpm/almalinux/openssl | 1.1.1k-7.el8_6.tuxcare.els3 | ? | - | not_covered
a Debian package that only begins like it :: pkg:deb/debian/root-tail@1.2-4?distro=debian-12 => Debian | root-tail | 1.2-4 | 12 | - | covered
MinimOS :: pkg:apk/minimos/curl@8.0-r0 => MinimOS | curl | 8.0-r0 | - | - | covered
AlmaLinux by installed package :: pkg:rpm/almalinux/openssl-libs@1.1.1k-9.el8_7?epoch=1&upstream=openssl-1.1.1k-9.el8_7.src.rpm&distro=almalinux-8.7 => AlmaLinux | openssl-libs | 1:1.1.1k-9.el8_7 | 8 | - | covered
an absent epoch of the exact package is zero :: pkg:rpm/almalinux/bash@5.1.8-6.el9_1?distro=almalinux-9.2 => AlmaLinux | bash | 5.1.8-6.el9_1 | 9 | - | covered
Rocky by source, epoch of the built package :: pkg:rpm/rocky/bind-libs@9.11.36-5.el8?epoch=32&upstream=bind-9.11.36-5.el8.src.rpm&distro=rocky-8.7 => Rocky Linux | bind | 32:9.11.36-5.el8 | 8 | - | covered
Rocky by source without epoch :: pkg:rpm/rocky/bash@4.4.20-4.el8_6?upstream=bash-4.4.20-4.el8_6.src.rpm&distro=rocky-8.7 => Rocky Linux | bash | 4.4.20-4.el8_6 | 8 | - | covered
Rocky, version of its own: epoch unknown :: pkg:rpm/rocky/perl-Errno@1.28-421.el8?upstream=perl-5.26.3-421.el8.src.rpm&distro=rocky-8.7 => Rocky Linux | perl | 5.26.3-421.el8 | 8 | epoch | uncomparable
Red Hat by installed package :: pkg:rpm/redhat/openssl-libs@3.0.7-24.el9?epoch=1&distro=rhel-9.3 => Red Hat | openssl-libs | 1:3.0.7-24.el9 | 9 | - | covered
Red Hat, other namespace :: pkg:rpm/rhel/openssl-libs@1%3A3.0.7-24.el9?distro=redhat-9.3 => Red Hat | openssl-libs | 1:3.0.7-24.el9 | 9 | - | covered
Red Hat, ordinary update of 8.4 :: pkg:rpm/redhat/bash@4.4.20-1.el8_4?distro=rhel-8.7 => Red Hat | bash | 4.4.20-1.el8_4 | 8 | - | covered
Red Hat, extended support of 8.4 :: pkg:rpm/redhat/bash@4.4.20-1.el8_4?repository_id=rhel-8-for-x86_64-baseos-eus-rpms__8_DOT_4 => Red Hat | bash | 4.4.20-1.el8_4 | 8 | el8_4 | covered
Red Hat Satellite :: pkg:rpm/redhat/puppet-agent@6.22.1-1.el8sat => Red Hat | puppet-agent | 6.22.1-1.el8sat | 8 | el8sat | covered
OpenShift :: pkg:rpm/redhat/podman@4.4.1-2.rhaos4.12.el8 => Red Hat | podman | 4.4.1-2.rhaos4.12.el8 | 8 | rhaos4.12 | covered
module with label :: pkg:rpm/redhat/nodejs@18.14.2-2.module%2Bel8.7.0+18445+9493b6ea?epoch=1&modularitylabel=nodejs:18:8070020230314:bd1311ed&distro=rhel-8.7 => Red Hat | nodejs | 1:18.14.2-2.module+el8.7.0+18445+9493b6ea | 8 | nodejs:18 | covered
module with Syft's label :: pkg:rpm/almalinux/nodejs@18.14.2-2.module_el8.7.0+3564+0c8a1e2d?rpmmod=nodejs:18 => AlmaLinux | nodejs | 18.14.2-2.module_el8.7.0+3564+0c8a1e2d | 8 | nodejs:18 | covered
module without label :: pkg:rpm/rocky/nodejs@18.14.2-2.module+el8.7.0+1184+c2eaf144?distro=rocky-8.7 => Rocky Linux | nodejs | 18.14.2-2.module+el8.7.0+1184+c2eaf144 | 8 | module | covered
SLES by source :: pkg:rpm/suse/libopenssl1_1@1.1.1l-150400.7.22.1?upstream=openssl-1_1-1.1.1l-150400.7.22.1.src.rpm&distro=sles-15.4 => SUSE | openssl-1_1 | 1.1.1l-150400.7.22.1 | 15.4 | - | covered
openSUSE in the namespace of SUSE :: pkg:rpm/suse/bash@4.4-lp151.10.3.1?distro=opensuse.leap-15.1 => openSUSE | bash | 4.4-lp151.10.3.1 | leap 15.1 | - | covered
openSUSE source, built without epochs :: pkg:rpm/opensuse/perl-x@1.0-lp155.1?upstream=perl-5.26.1-lp155.1.src.rpm&distro=opensuse-leap-15.5 => openSUSE | perl | 5.26.1-lp155.1 | leap 15.5 | - | covered
SLES source, built without epochs :: pkg:rpm/suse/perl-x@1.0-1?upstream=perl-5.26.1-1.src.rpm&distro=sles-15.5 => SUSE | perl | 5.26.1-1 | 15.5 | - | covered
openSUSE hint :: pkg:rpm/opensuse/bash@4.4-lp151.10.3.1 => openSUSE | bash | 4.4-lp151.10.3.1 | leap 15.1 | - | covered
openEuler :: pkg:rpm/openEuler/openssl-libs@1.1.1m-15.oe2203sp1?epoch=1&upstream=openssl-1.1.1m-15.oe2203sp1.src.rpm => openEuler | openssl | 1:1.1.1m-15.oe2203sp1 | 22.03-lts-sp1 | - | covered
Mageia :: pkg:rpm/mageia/bash@5.2.15-1.mga9 => Mageia | bash | 5.2.15-1.mga9 | 9 | - | covered
Photon :: pkg:rpm/photon/bash@5.1.8-1.ph4?distro=photon-4.0 => Photon OS | bash | 5.1.8-1.ph4 | 4.0 | - | covered
Azure Linux, data without epochs :: pkg:rpm/azurelinux/x@1.0-6.azl3?epoch=1&distro=azurelinux-3.0 => Azure Linux | x | 1.0-6.azl3 | 3 | - | covered
Mariner is Azure Linux :: pkg:rpm/mariner/x@1.0-6.cm2?distro=mariner-2.0 => Azure Linux | x | 1.0-6.cm2 | 2 | - | covered
Oracle Linux :: pkg:rpm/ol/bash@4.4.20-4.el8_6?distro=ol-8.7 => Oracle Linux | bash | 4.4.20-4.el8_6 | 8 | - | covered
Oracle Linux by the version :: pkg:rpm/oraclelinux/kernel-uek@5.15.0-1.el9uek => Oracle Linux | kernel-uek | 5.15.0-1.el9uek | 9 | - | covered
Oracle Linux, ksplice :: pkg:rpm/ol/glibc@2.28-1.ksplice1.el8?distro=ol-8.7 => Oracle Linux | glibc | 2.28-1.ksplice1.el8 | 8 | ksplice | covered
Oracle Linux, certified :: pkg:rpm/ol/gnutls@3.6.16-8.el8_9.1_fips?distro=ol-8.9&epoch=10 => Oracle Linux | gnutls | 10:3.6.16-8.el8_9.1_fips | 8 | fips | covered
Oracle Linux, module without label :: pkg:rpm/ol/nodejs@10.1-1.module+el8.1.0+1+a?distro=ol-8.7 => Oracle Linux | nodejs | 10.1-1.module+el8.1.0+1+a | 8 | module | covered
Amazon Linux :: pkg:rpm/amzn/bash@4.2.46-34.amzn2?distro=amazon-2%20%28Karoo%29 => Amazon Linux | bash | 4.2.46-34.amzn2 | 2 | - | covered
Amazon Linux by the version :: pkg:rpm/amazonlinux/bash@5.2.15-1.amzn2023.0.2?epoch=0&upstream=x-1-1.src.rpm => Amazon Linux | bash | 5.2.15-1.amzn2023.0.2 | 2023 | - | covered
Amazon Linux 1 :: pkg:rpm/amzn/bash@4.2.46-34.43.amzn1?distro=amzn-2018.03 => Amazon Linux 1 | bash | 4.2.46-34.43.amzn1 | 1 | - | covered
Amazon Linux, release not known :: pkg:rpm/amzn/bash@4.2.46-34 => Amazon Linux | bash | 4.2.46-34 | ? | - | release_unknown
CentOS :: pkg:rpm/centos/bash@4.2.46-34.el7?distro=centos-7.9.2009 => - | pkg:rpm/centos/bash | 4.2.46-34.el7 | ? | - | not_covered
Fedora :: pkg:rpm/fedora/bash@5.2-1.fc38?distro=fedora-38 => Fedora | bash | 5.2-1.fc38 | 38 | - | covered
Fedora hint :: pkg:rpm/fedora/bash@5.2-1.fc38 => Fedora | bash | 5.2-1.fc38 | 38 | - | covered
Fedora by source, epoch of the built package :: pkg:rpm/fedora/openssl-libs@3.2.1-2.fc40?epoch=1&upstream=openssl-3.2.1-2.fc40.src.rpm&distro=fedora-40 => Fedora | openssl | 1:3.2.1-2.fc40 | 40 | - | covered
Fedora, release unknown :: pkg:rpm/fedora/filesystem@3.18-8?distro=fedora => Fedora | filesystem | 3.18-8 | ? | - | release_unknown
Fedora Rawhide, by the build :: pkg:rpm/fedora/bash@5.2-1.fc43?distro=fedora-rawhide => Fedora | bash | 5.2-1.fc43 | 43 | - | covered
module of Fedora with label :: pkg:rpm/fedora/nodejs@16.14.0-4.module_f36%2B13945%2B34ca1b4c?epoch=1&modularitylabel=nodejs:16:3620220302191425:b7bb4a4a => Fedora | nodejs | 1:16.14.0-4.module_f36+13945+34ca1b4c | 36 | fedora module | uncomparable
module of Fedora without label :: pkg:rpm/fedora/nodejs@16.14.0-4.module_f36%2B13945%2B34ca1b4c => Fedora | nodejs | 16.14.0-4.module_f36+13945+34ca1b4c | 36 | fedora module | uncomparable
a derivative :: pkg:deb/raspbian/bash@5.1-2?distro=raspbian-11 => - | pkg:deb/raspbian/bash | 5.1-2 | ? | - | not_covered
no namespace, distribution from distro :: pkg:rpm/bash@5.1.8-6.el9?distro=almalinux-9.2 => AlmaLinux | bash | 5.1.8-6.el9 | 9 | - | covered
no namespace, code name :: pkg:deb/bash@5.1-2?distro=bookworm => Debian | bash | 5.1-2 | 12 | - | covered
no namespace, nothing else :: pkg:rpm/bash@5.1.8-6.el9 => - | pkg:rpm/bash | 5.1.8-6.el9 | ? | - | not_covered
`)

describe('packages of distributions', () => {
  it.each(systems)('$rule', ({ purl, expected }) => {
    const identity = ofPurl(purl)
    expect(identityRow(identity)).toBe(expected)
    expect(identity.versionKey !== null).toBe(
      identity.decidability === 'covered' && identity.scheme !== 'apk',
    )
  })

  it.each<[purl: string, version: string, expected: string]>([
    ['pkg:rpm/redhat/openssl@3.0.7-24.el9?distro=rhel-9.4', '1:3.0.7-24.el9', '1:3.0.7-24.el9'],
    ['pkg:rpm/redhat/openssl@3.0.7-24.el9?distro=rhel-9.4', '1:3.0.7-25.el9', '3.0.7-24.el9'],
    ['pkg:rpm/redhat/openssl@2:3.0.7-24.el9?distro=rhel-9.4', '1:3.0.7-24.el9', '2:3.0.7-24.el9'],
    ['pkg:deb/debian/x@1.0-1?distro=bookworm', '3:1.0-1', '3:1.0-1'],
    ['pkg:rpm/redhat/openssl@3.0.7-24.el9?distro=rhel-9.4', '1:3.0.7', '1:3.0.7-24.el9'],
    ['pkg:rpm/redhat/openssl@3.0.7-24.el9?distro=rhel-9.4', '1:3.0.7-24.el9.x86_64', '1:3.0.7-24.el9'],
    ['pkg:rpm/redhat/openssl@3.0.7-24.el9?distro=rhel-9.4', '1:3.0.70-24.el9', '3.0.7-24.el9'],
  ])('%s beside the version %s is compared as %s', (purl, version, expected) => {
    expect(identify(thing({ purl, version }), noSurroundings).version).toBe(expected)
  })
})

describe('what is written beside the purl', () => {
  const debian11: OperatingSystem = { name: 'debian', version: '11' }

  it('takes the release from the operating system after the purl', () => {
    expect(ofPurl('pkg:deb/debian/bash@5.1-2', debian11).release).toBe('11')
    expect(ofPurl('pkg:deb/debian/bash@5.1-2?distro=debian-12', debian11).release).toBe('12')
    expect(ofPurl('pkg:deb/debian/bash@5.1-2+deb12u1', debian11).release).toBe('11')
    expect(ofPurl('pkg:deb/bash@5.1-2', debian11).ecosystem).toBe('Debian')
  })

  it('does not take it from another distribution', () => {
    expect(ofPurl('pkg:deb/debian/bash@5.1-2', { name: 'ubuntu', version: '22.04' }).release).toBeNull()
    expect(ofPurl('pkg:rpm/suse/bash@5.1-2', { name: 'openSUSE Leap', version: '15.5' }).release).toBe(
      'leap 15.5',
    )
  })

  it.each<[SbomComponent['source'], string, string]>([
    [{ name: 'util-linux', version: '2.36.1-8+deb11u1', epoch: null }, 'util-linux', '2.36.1-8+deb11u1'],
    [{ name: 'shadow', version: '4.8.1-1', epoch: '1' }, 'shadow', '1:4.8.1-1'],
    [{ name: 'shadow', version: '1:4.8.1-1', epoch: '1' }, 'shadow', '1:4.8.1-1'],
    [{ name: 'procps', version: null, epoch: null }, 'procps', '2:3.3.17-5'],
    [null, 'libprocps8', '2:3.3.17-5'],
  ])('names a Debian package by its recorded source %j', (source, name, version) => {
    const purl = 'pkg:deb/debian/libprocps8@2:3.3.17-5+b1?distro=debian-11'
    const identity = identify(thing({ purl, source }), noSurroundings)
    expect([identity.packageKey, identity.version]).toEqual([`Debian\u001f${name}`, version])
  })

  it('takes the recorded epoch of an RPM source, and a file name for a source', () => {
    const purl = 'pkg:rpm/rocky/perl-Errno@1.28-421.el8?distro=rocky-8.7'
    const source = { name: 'perl', version: '5.26.3-421.el8', epoch: '4' }
    expect(identify(thing({ purl, source }), noSurroundings)).toMatchObject({
      version: '4:5.26.3-421.el8',
      stream: '',
    })
    const file = { name: 'perl-5.26.3-421.el8.src.rpm', version: null, epoch: null }
    expect(identify(thing({ purl, source: file }), noSurroundings)).toMatchObject({
      version: '5.26.3-421.el8',
      stream: 'epoch',
    })
  })
})
