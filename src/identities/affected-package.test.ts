import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/support/any-character.ts'
import { affectedPackage, type FixedBy } from './affected-package.ts'
import { ecosystems } from './ecosystems.ts'
import { thing } from './identity-table.ts'
import { identify } from './identify.ts'
import { noSurroundings } from './surroundings.ts'

/** What must be equal for a range to be looked at. */
function meeting(place: {
  packageKey: string | null
  release: string | null
  stream: string
  scheme: string | null
}): unknown {
  return { packageKey: place.packageKey, release: place.release, stream: place.stream, scheme: place.scheme }
}

/** `purl => ecosystem | name | fixed | title`, the last two where they matter. */
function readPairs(text: string): { purl: string; ecosystem: string; name: string; fix: FixedBy }[] {
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [purl = '', rest = ''] = line.split(' => ')
    const [ecosystem = '', name = '', fixed = null, title = null] = rest.split(' | ')
    return { purl, ecosystem, name, fix: { fixed, title } }
  })
}

const meets = readPairs(`
pkg:npm/%40babel/core@7.0.0 => npm | @babel/core
pkg:npm/JSONStream@1.0.0 => npm | JSONStream
pkg:pypi/Zope.Interface@5 => PyPI | zope-interface
pkg:pypi/ruamel_yaml@0.17 => PyPI | ruamel.yaml
pkg:maven/org.apache/commons@1.0 => Maven | org.apache:commons
pkg:maven/org.apache/commons@1.0 => Maven:https://repo.example.com/releases | org.apache:commons
pkg:golang/golang.org/x/net@v0.1.0 => Go | golang.org/x/net
pkg:golang/github.com/a/b@v2.0.0#v2 => Go | github.com/a/b/v2
pkg:golang/std@1.20.1 => Go | stdlib
pkg:golang/stdlib@1.20.1 => Go | stdlib
pkg:golang/toolchain@1.20.1 => Go | toolchain
pkg:cargo/openssl-src@111.0.0 => crates.io | openssl-src
pkg:gem/nokogiri@1.13.8-java => RubyGems | nokogiri
pkg:nuget/newtonsoft.json@13.0.1 => NuGet | Newtonsoft.Json
pkg:composer/Laravel/Framework@9.0.0 => Packagist | laravel/framework
pkg:composer/drupal/ctools@3.0.0 => Packagist:https://packages.drupal.org/8 | drupal/ctools
pkg:hex/phoenix@1.6.0 => Hex | phoenix
pkg:pub/http@0.13.0 => Pub | http
pkg:hackage/aeson@2.0.0.0 => Hackage | aeson
pkg:cran/ggplot2@3.3.5 => CRAN | ggplot2
pkg:julia/HTTP@1.0.0 => Julia | HTTP
pkg:bitnami/wordpress@6.2.0-3 => Bitnami | wordpress
pkg:opam/cohttp@5.0.0 => opam | cohttp
pkg:conan/openssl@3.0.3 => ConanCenter | openssl
pkg:swift/github.com/vapor/vapor@4.0.0 => SwiftURL | https://github.com/Vapor/vapor.git
pkg:swift/github.com/vapor/vapor@4.0.0 => SwiftURL | github.com/vapor/vapor
pkg:github/actions/checkout@v3.1.0 => GitHub Actions | Actions/Checkout
pkg:generic/zlib@1.2.11?vcs_url=git%2Bhttps://github.com/madler/zlib => GIT | https://github.com/Madler/zlib.git
pkg:gitlab/gnutls/gnutls@3.7.0 => GIT | https://gitlab.com/gnutls/gnutls.git
pkg:bitbucket/multicoreware/x265_git@3.5 => OSS-Fuzz | https://bitbucket.org/multicoreware/x265_git.git
pkg:github/torvalds/linux@v6.1 => Linux | Kernel
pkg:rpm/fedora/openssl-libs@3.2.1-2.fc40?epoch=1&upstream=openssl-3.2.1-2.fc40.src.rpm => Fedora:40 | openssl
pkg:generic/linux_kernel@6.1?vcs_url=git://git.kernel.org/pub/scm/linux/kernel/git/stable/linux.git => Linux | Kernel
pkg:generic/base@13?vcs_url=https://android.googlesource.com/platform/frameworks/base => Android | platform/frameworks/base
pkg:generic/ghc@9.4.7?vcs_url=https://gitlab.haskell.org/ghc/ghc.git => GHC | compiler
pkg:vscode-extension/ms-python/Python@2023.25.10292213 => VSCode | ms-python.python
pkg:vscode-extension/ms-python/python@2023.25.1?platform=linux-x64 => VSCode:https://open-vsx.org | ms-python/python
pkg:bioconductor/IRanges@2.28.0 => Bioconductor | IRanges
pkg:dhi/python@3.11.2 => Docker Hardened Images | python
pkg:apk/cleanstart/curl@8.0-r0 => CleanStart | curl
pkg:apk/alpaquita/libssl3@3.1.4-r5?upstream=openssl&distro=alpaquita-23 => Alpaquita:23 | openssl
pkg:apk/alpaquita/curl@8.0-r0?distro=alpaquita-stream => Alpaquita:stream | curl
pkg:apk/bellsoft-hardened-containers/curl@8.0-r0?distro=bellsoft-hardened-containers-25 => BellSoft Hardened Containers:25 | curl
pkg:deb/echo/libssl3@3.0.11-1%2Be1?upstream=openssl => Echo | openssl
pkg:deb/debian/libssl1.1@1.1.1n-0+deb11u3?upstream=openssl&distro=debian-11.6 => Debian:11 | openssl
pkg:deb/debian/curl@7.88.1-10+deb12u5 => Debian:12 | curl
pkg:deb/ubuntu/curl@7.81.0-1ubuntu1.10?distro=ubuntu-22.04 => Ubuntu:22.04:LTS | curl
pkg:deb/ubuntu/curl@8.5.0-2?distro=mantic => Ubuntu:23.10 | curl
pkg:deb/ubuntu/curl@7.58.0-2ubuntu3.24+esm1?distro=bionic => Ubuntu:Pro:18.04:LTS | curl | 7.58.0-2ubuntu3.24+esm2
pkg:deb/ubuntu/openssl@1.1.1f-1ubuntu2.fips.7?distro=ubuntu-20.04 => Ubuntu:Pro:FIPS-updates:20.04:LTS | openssl
pkg:deb/ubuntu/linux-realtime@5.15.0-1032.35?distro=ubuntu-22.04 => Ubuntu:Pro:22.04:LTS:Realtime:Kernel | linux-realtime
pkg:apk/alpine/libssl3@3.1.4-r5?upstream=openssl&distro=alpine-3.18.4 => Alpine:v3.18 | openssl
pkg:apk/alpine/busybox@1.35.0-r17?distro=3.16.2 => Alpine:v3.16 | busybox
pkg:apk/wolfi/curl@8.0-r0 => Wolfi | curl
pkg:apk/chainguard/curl@8.0-r0 => Chainguard | curl
pkg:apk/minimos/curl@8.0-r0 => MinimOS | curl
pkg:rpm/almalinux/openssl-libs@1.1.1k-9.el8_7?epoch=1&distro=almalinux-8.7 => AlmaLinux:8 | openssl-libs | 1:1.1.1k-12.el8_9
pkg:rpm/alma/bash@5.1.8-6.el9_1 => AlmaLinux:9 | bash | 5.1.8-9.el9_4
pkg:rpm/almalinux/nodejs@18.14.2-2.module_el8.7.0+1+a?modularitylabel=nodejs:18:8070020230314:bd => AlmaLinux:8 | nodejs | 1:18.20.2-1.module_el8.9.0+2+b | Important: nodejs:18 security update
pkg:rpm/rocky/bind-libs@9.11.36-5.el8?epoch=32&upstream=bind-9.11.36-5.el8.src.rpm => Rocky Linux:8 | bind | 32:9.11.36-8.el8_8
pkg:rpm/rocky/python38@3.8.8-4.module+el8.5.0+672+ab6eb015?modularitylabel=python38:3.8:8&distro=rocky-8 => Rocky Linux:8 | python38 | 0:3.8.12-1.module+el8.6.0+795+de4edbcc | Moderate: python38:3.8 security update
pkg:rpm/redhat/openssl-libs@3.0.7-24.el9?epoch=1&distro=rhel-9.3 => Red Hat:enterprise_linux:9::baseos | openssl-libs | 1:3.0.7-25.el9_3
pkg:rpm/rhel/bash@4.4.20-4.el8_6?distro=redhat-8.7 => Red Hat:enterprise_linux:8::appstream | bash
pkg:rpm/redhat/bash@5.2.26-6.el10 => Red Hat:enterprise_linux:10.0 | bash | 5.2.26-6.el10_0.1
pkg:rpm/redhat/bash@4.2.46-34.el7 => Red Hat:rhel_els:7 | bash | 4.2.46-35.el7_9
pkg:rpm/redhat/bash@4.4.20-1.el8_4?repository_id=rhel-8-for-x86_64-baseos-eus-rpms__8_DOT_4 => Red Hat:rhel_eus:8.4::baseos | bash | 4.4.20-1.el8_4.1
pkg:rpm/redhat/bash@4.4.20-1.el8_4?repository_id=rhel-8-for-x86_64-baseos-tus-rpms__8_DOT_4 => Red Hat:rhel_tus:8.4::baseos | bash | 4.4.20-1.el8_4.1
pkg:rpm/redhat/puppet-agent@6.22.1-1.el8sat => Red Hat:satellite:6.10::el8 | puppet-agent | 6.26.0-1.el8sat
pkg:rpm/redhat/podman@4.4.1-2.rhaos4.12.el8 => Red Hat:openshift:4.12::el8 | podman | 4.4.1-3.rhaos4.12.el8
pkg:rpm/redhat/rh-nodejs12-nodejs@12.16.1-1.el7 => Red Hat:rhel_software_collections:3::el7 | rh-nodejs12-nodejs | 12.18.2-1.el7
pkg:rpm/suse/libopenssl1_1@1.1.1l-150400.7.22.1?upstream=openssl-1_1-1.1.1l-150400.7.22.1.src.rpm&distro=sles-15.4 => SUSE:Linux Enterprise Module for Basesystem 15 SP4 | openssl-1_1
pkg:rpm/suse/bash@4.4-1?distro=sles-15.4 => SUSE:Linux Enterprise Server 15 SP4-LTSS | bash
pkg:rpm/suse/bash@4.4-1?distro=sles-12.5 => SUSE:Linux Enterprise Server 12 SP5-LTSS Extended Security | bash
pkg:rpm/suse/bash@4.4-1?distro=sles-15.1 => SUSE:Linux Enterprise High Performance Computing 15 SP1-ESPOS | bash
pkg:rpm/suse/bash@4.4-1?distro=sles-15.4 => SUSE:Linux Enterprise Server for SAP Applications 15 SP4 | bash
pkg:rpm/suse/bash@4.4-1?distro=sles-16.0 => SUSE:Linux Enterprise Server 16.0 | bash
pkg:rpm/suse/bash@4.4-1?distro=sle-micro-5.5 => SUSE:Linux Enterprise Micro 5.5 | bash
pkg:rpm/opensuse/bash@4.4-1?distro=opensuse-leap-15.5 => openSUSE:Leap 15.5 | bash
pkg:rpm/opensuse/bash@4.4-1?distro=opensuse-leap-15.6 => openSUSE:Leap 15.6 NonFree | bash
pkg:rpm/opensuse/bash@4.4-1?distro=opensuse-tumbleweed-20240101 => openSUSE:Tumbleweed | bash
pkg:rpm/opensuse/bash@4.4-1?distro=opensuse-leap-micro-5.5 => openSUSE:Leap Micro 5.5 | bash
pkg:rpm/openEuler/bash@5.1-1.oe2203sp1 => openEuler:22.03-LTS-SP1 | bash
pkg:rpm/mageia/bash@5.2.15-1.mga9 => Mageia:9 | bash
pkg:rpm/photon/bash@5.1.8-1.ph4 => Photon OS:4.0 | bash
pkg:rpm/mariner/bash@5.1.8-1.cm2?distro=mariner-2.0 => Azure Linux:2 | bash
pkg:rpm/azurelinux/bash@5.1.8-1.azl3 => Azure Linux:3 | bash
pkg:rpm/amzn/bash@4.2.46-34.amzn2 => Amazon Linux:2 | bash
pkg:rpm/amazon/bash@4.2.46-34.amzn2?distro=amazon-2%20%28Karoo%29 => Amazon Linux:2 | bash
pkg:rpm/amzn/bash@5.2.15-1.amzn2023.0.2?distro=amzn-2023 => Amazon Linux:2023 | bash
pkg:rpm/amzn/bash@4.2.46-34.43.amzn1?distro=amzn-2018.03 => Amazon Linux 1 | bash
pkg:rpm/ol/bash@4.4.20-4.el8_6?distro=ol-8.7 => Oracle Linux:8 | bash | 4.4.20-5.el8
pkg:rpm/oracle/glibc@2.17-1.ksplice1.el7?distro=oracle-7 => Oracle Linux:7 | glibc | 2.17-2.ksplice1.el7
pkg:rpm/ol/nodejs@10.1-1.module+el8.1.0+1+a?modularitylabel=nodejs:10:8 => Oracle Linux:8 | nodejs | 10.2-1.module+el8.2.0+1+b | nodejs:10 security update
`)

const misses = readPairs(`
pkg:apk/alpaquita/curl@8.0-r0?distro=alpaquita-23 => Alpaquita:stream | curl
pkg:apk/alpaquita/curl@8.0-r0?distro=alpaquita-23 => Alpine:v3.23 | curl
pkg:apk/alpaquita/curl@8.0-r0?distro=alpaquita-23 => BellSoft Hardened Containers:23 | curl
pkg:vscode-extension/ms/python@1.0.0 => VSCode | ms-python.python
pkg:generic/zlib@1.2.11 => GIT | https://github.com/madler/zlib
pkg:npm/zlib@1.2.11?vcs_url=git%2Bhttps://github.com/madler/zlib => GIT | https://github.com/madler/zlib
pkg:github/torvalds/linux@v6.1 => GitHub Actions | torvalds/linux
pkg:npm/jsonstream@1.0.0 => npm | JSONStream
pkg:npm/%40babel/core@7.0.0 => npm | core
pkg:npm/requests@1.0.0 => PyPI | requests
pkg:maven/org.apache/commons@1.0 => Maven | org.apache:Commons
pkg:golang/github.com/a/b@v2.0.0#v2 => Go | github.com/a/b
pkg:cargo/openssl_src@111.0.0 => crates.io | openssl-src
pkg:deb/debian/libssl1.1@1.1.1n-0+deb11u3?upstream=openssl&distro=debian-11 => Debian:12 | openssl
pkg:deb/debian/libssl1.1@1.1.1n-0+deb11u3?upstream=openssl&distro=debian-11 => Debian:11 | libssl1.1
pkg:deb/debian/curl@7.88.1-10 => Debian:12 | curl
pkg:deb/debian/curl@7.88.1-10?distro=debian-12 => Ubuntu:22.04:LTS | curl
pkg:deb/ubuntu/curl@7.81.0-1ubuntu1.10?distro=ubuntu-22.04 => Ubuntu:Pro:22.04:LTS | curl
pkg:deb/ubuntu/curl@7.58.0-2ubuntu3.24+esm1?distro=bionic => Ubuntu:18.04:LTS | curl
pkg:apk/alpine/busybox@1.35.0-r17?distro=3.16.2 => Alpine:v3.17 | busybox
pkg:apk/wolfi/busybox@1.35.0-r17 => Alpine:v3.17 | busybox
pkg:rpm/almalinux/bash@5.1.8-6.el9_1 => AlmaLinux:8 | bash
pkg:rpm/almalinux/bash@5.1.8-6.el9_1 => Rocky Linux:9 | bash
pkg:rpm/almalinux/nodejs@16.1-2.module_el8.7.0+1+a?modularitylabel=nodejs:16:8 => AlmaLinux:8 | nodejs | 1:18.20.2-1.module_el8.9.0+2+b | Important: nodejs:18 security update
pkg:rpm/almalinux/nodejs@16.1-2.el8 => AlmaLinux:8 | nodejs | 1:18.20.2-1.module_el8.9.0+2+b | Important: nodejs:18 security update
pkg:rpm/redhat/bash@4.4.20-1.el8_4?distro=rhel-8.4 => Red Hat:rhel_eus:8.4::baseos | bash | 4.4.20-1.el8_4.1
pkg:rpm/redhat/bash@4.4.20-1.el8_4?repository_id=rhel-8-for-x86_64-baseos-eus-rpms__8_DOT_4 => Red Hat:enterprise_linux:8::baseos | bash | 4.4.20-4.el8_6
pkg:rpm/redhat/podman@4.4.1-14.el8 => Red Hat:openshift:4.12::el8 | podman | 4.4.1-3.rhaos4.12.el8
pkg:rpm/redhat/puppet-agent@6.22.1-1.el8sat => Red Hat:enterprise_linux:8::appstream | puppet-agent | 6.26.0-1.el8
pkg:rpm/suse/bash@4.4-1?distro=sles-15.4 => SUSE:Linux Enterprise Server 15 SP5 | bash
pkg:rpm/suse/bash@4.4-1?distro=sles-15.5 => openSUSE:Leap 15.5 | bash
pkg:rpm/suse/bash@4.4-1?distro=sle-micro-5.5 => SUSE:Linux Enterprise Server 15 SP5 | bash
pkg:rpm/openEuler/bash@5.1-1.oe2203sp1 => openEuler:22.03-LTS | bash
pkg:rpm/mariner/bash@5.1.8-1.cm2?distro=mariner-2.0 => Azure Linux:3 | bash
pkg:rpm/amzn/bash@4.2.46-34.amzn2 => Amazon Linux:2023 | bash
pkg:rpm/amzn/bash@4.2.46-34.43.amzn1 => Amazon Linux:2 | bash
pkg:rpm/ol/bash@4.4.20-4.el8_6?distro=ol-8.7 => Oracle Linux:9 | bash
pkg:rpm/ol/glibc@2.17-1.el7 => Oracle Linux:7 | glibc | 2.17-2.ksplice1.el7
pkg:rpm/ol/gnutls@3.6.16-8.el8_fips => Oracle Linux:8 | gnutls | 3.6.16-9.el8
pkg:rpm/ol/bash@4.4.20-4.el8_6?distro=ol-8.7 => Red Hat:enterprise_linux:8::baseos | bash
`)

/** Records that no component can meet. */
const unreachable: [string, string, FixedBy?][] = [
  ['GIT', 'a/b'],
  ['FreeBSD:ports', 'curl'],
  ['Alpaquita', 'curl'],
  ['Alpaquita:edge', 'curl'],
  ['OSS-Fuzz', 'a'],
  ['', 'a'],
  [':', 'a'],
  ['debian:11', 'curl'],
  ['Debian', 'curl'],
  ['Debian:', 'curl'],
  ['Debian:sid', 'curl'],
  ['Alpine', 'curl'],
  ['Alpine:edge', 'curl'],
  ['Ubuntu', 'curl'],
  ['Ubuntu:Pro', 'curl'],
  ['AlmaLinux', 'curl'],
  ['AlmaLinux:8', 'curl', { fixed: '7.76.1-23.el9' }],
  ['Rocky Linux:9', 'curl', { fixed: '7.61.1-30.el8' }],
  ['Red Hat', 'curl'],
  ['Red Hat:enterprise_linux', 'curl'],
  ['Red Hat:enterprise_linux:9::baseos', 'curl', { fixed: '7.61.1-30.el8' }],
  ['Red Hat:rhel_eus:8::baseos', 'curl'],
  ['Red Hat:jboss_enterprise_application_platform:7.4', 'eap7'],
  ['SUSE', 'curl'],
  ['SUSE:Linux Enterprise Server', 'curl'],
  ['openSUSE', 'curl'],
  ['openEuler:22.03', 'curl'],
  ['npm', ''],
  ['npm', 'a\u001fb'],
  ['npm', 'a'.repeat(513)],
]

describe('affectedPackage meets identify', () => {
  it.each(meets)('$purl and $ecosystem $name', ({ purl, ecosystem, name, fix }) => {
    const affected = affectedPackage(ecosystem, name, fix)
    expect(affected && meeting(affected)).toEqual(meeting(identify(thing({ purl }), noSurroundings)))
  })

  it.each(misses)('$purl and not $ecosystem $name', ({ purl, ecosystem, name, fix }) => {
    const affected = affectedPackage(ecosystem, name, fix)
    expect(affected).toBeDefined()
    expect(affected && meeting(affected)).not.toEqual(meeting(identify(thing({ purl }), noSurroundings)))
  })

  it('in every ecosystem of the table', () => {
    const tested = new Set(meets.map(({ ecosystem, name }) => affectedPackage(ecosystem, name)?.ecosystem))
    expect(ecosystems.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([])
  })
})

describe('affectedPackage', () => {
  it.each(unreachable)('%s %s is met by no component', (ecosystem, name, fix) => {
    expect(affectedPackage(ecosystem, name, fix)).toBeUndefined()
  })

  it('leaves the module stream open where the title does not tell it', () => {
    const fix = {
      fixed: '6.0.13-1.module_el8.9.0+3786+e8a73bbf',
      title: 'Important: varnish security update',
    }
    expect(affectedPackage('AlmaLinux:8', 'varnish', fix)?.stream).toBe('module')
    expect(affectedPackage('AlmaLinux:8', 'varnish')?.stream).toBe('')
  })

  it('never throws', () => {
    const name = fc.string({ unit: anyCharacter })
    const ecosystem = fc.constantFrom(...ecosystems.map((entry) => entry.name))
    fc.assert(
      fc.property(ecosystem, name, name, name, (base, suffix, packageName, text) => {
        const affected = affectedPackage(`${base}:${suffix}`, packageName, { fixed: text, title: text })
        expect(affected?.ecosystem ?? base).toBe(base)
      }),
    )
  })
})
