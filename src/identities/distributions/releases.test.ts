import { describe, expect, it } from 'vitest'
import { distributions } from './distributions.ts'
import { hintedRelease } from './release-hints.ts'
import { distributionOf, readRelease } from './releases.ts'

function place(text: string, assumed: string | null): string {
  const { distribution, release } = readRelease(text, assumed === null ? null : distributionOf(assumed))
  return `${distribution?.id ?? '?'} ${release ?? '?'}`
}

/** Text, distribution of the purl's namespace, distribution and release. */
const spellings: [string, string | null, string][] = [
  ['debian-11', 'debian', 'debian 11'],
  ['debian-11.6', 'debian', 'debian 11'],
  ['11', 'debian', 'debian 11'],
  ['bookworm', 'debian', 'debian 12'],
  ['bookworm', null, 'debian 12'],
  ['bullseye/sid', 'debian', 'debian 11'],
  ['debian-bullseye/sid', 'debian', 'debian 11'],
  ['debian-trixie', null, 'debian 13'],
  ['Debian GNU/Linux 11 (bullseye)', null, 'debian 11'],
  ['debian-unstable', 'debian', 'debian ?'],
  ['debian', 'debian', 'debian ?'],
  ['ubuntu-20.04', 'ubuntu', 'ubuntu 20.04'],
  ['ubuntu-22.04.3', 'ubuntu', 'ubuntu 22.04'],
  ['jammy', 'ubuntu', 'ubuntu 22.04'],
  ['ubuntu-jammy', null, 'ubuntu 22.04'],
  ['noble', null, 'ubuntu 24.04'],
  ['xenial', null, 'ubuntu 16.04'],
  ['questing', null, 'ubuntu 25.10'],
  ['Ubuntu 22.04.2 LTS', null, 'ubuntu 22.04'],
  ['ubuntu-22', 'ubuntu', 'ubuntu ?'],
  ['alpine-3.16.2', 'alpine', 'alpine 3.16'],
  ['3.16.2', 'alpine', 'alpine 3.16'],
  ['v3.18', 'alpine', 'alpine 3.18'],
  ['Alpine Linux v3.18', null, 'alpine 3.18'],
  ['alpine-3.22.0_rc1', 'alpine', 'alpine 3.22'],
  ['Alpine Linux v3.22.0_rc2', null, 'alpine 3.22'],
  ['alpine-3.22_rc', 'alpine', 'alpine ?'],
  ['alpine-3.20_alpha20240329', 'alpine', 'alpine ?'],
  ['alpine-edge', 'alpine', 'alpine ?'],
  ['3', 'alpine', '? ?'],
  ['3.16.2', null, '? ?'],
  ['alpaquita-23', 'alpaquita', 'alpaquita 23'],
  ['alpaquita-stream', 'alpaquita', 'alpaquita stream'],
  ['BellSoft Alpaquita Linux stream', null, 'alpaquita stream'],
  ['bellsoft-hardened-containers-25', null, 'bellsoft 25'],
  ['alpaquita-edge', 'alpaquita', 'alpaquita ?'],
  ['echo', null, 'echo '],
  ['rhel-8.7', 'redhat', 'redhat 8'],
  ['redhat-8.7', 'redhat', 'redhat 8'],
  ['rhel8', null, 'redhat 8'],
  ['el-9', null, 'redhat 9'],
  ['Red Hat Enterprise Linux 8.7 (Ootpa)', null, 'redhat 8'],
  ['Red Hat Enterprise Linux Server 7.9', null, 'redhat 7'],
  ['almalinux-9.2', 'almalinux', 'almalinux 9'],
  ['alma-8', null, 'almalinux 8'],
  ['rocky-9', 'rocky', 'rocky 9'],
  ['rocky-linux-8.8', null, 'rocky 8'],
  ['centos-7.9.2009', 'centos', 'centos 7'],
  ['fedora-38', 'fedora', 'fedora 38'],
  ['amazon-2 (Karoo)', 'amzn', 'amazon 2'],
  ['amzn-2', 'amazon', 'amazon 2'],
  ['amzn-2018.03', null, 'amazon 1'],
  ['Amazon Linux AMI 2017.09', null, 'amazon 1'],
  ['Amazon Linux 2', null, 'amazon 2'],
  ['2017.12', 'amzn', 'amazon 2'],
  ['amzn-2023.6.20241212', null, 'amazon 2023'],
  ['al2', 'amzn', '? ?'],
  ['ol-8.7', 'oracle', 'oracle 8'],
  ['oracle-8.7', 'ol', 'oracle 8'],
  ['opensuse-leap-15.1', 'opensuse', 'opensuse leap 15.1'],
  ['opensuse.leap-15.1', 'suse', 'opensuse leap 15.1'],
  ['openSUSE Leap 15.5', null, 'opensuse leap 15.5'],
  ['15.5', 'opensuse', 'opensuse leap 15.5'],
  ['opensuse-tumbleweed-20230101', 'opensuse', 'opensuse tumbleweed'],
  ['opensuse-microos-20260101', 'opensuse', 'opensuse tumbleweed'],
  ['openSUSE MicroOS', null, 'opensuse tumbleweed'],
  ['opensuse-leap-micro-5.5', null, 'opensuse leap micro 5.5'],
  ['sles-15.4', 'suse', 'suse 15.4'],
  ['suse-15.4', 'suse', 'suse 15.4'],
  ['SUSE Linux Enterprise Server 15 SP4', null, 'suse 15.4'],
  ['sles-12', 'suse', 'suse 12'],
  ['sle-micro-5.5', 'suse', 'suse micro 5.5'],
  ['photon-4.0', 'photon', 'photon 4.0'],
  ['mariner-2.0', 'mariner', 'azurelinux 2'],
  ['azurelinux-3.0', 'azurelinux', 'azurelinux 3'],
  ['cbl-mariner-2.0.20230101', null, 'azurelinux 2'],
  ['wolfi-20230201', 'wolfi', 'wolfi '],
  ['chainguard-20230214', 'chainguard', 'chainguard '],
  ['minimos', 'minimos', 'minimos '],
  ['openEuler-22.03-LTS-SP1', 'openEuler', 'openeuler 22.03-lts-sp1'],
  ['openEuler 22.03 (LTS-SP2)', null, 'openeuler 22.03-lts-sp2'],
  ['openEuler-24.03-LTS', null, 'openeuler 24.03-lts'],
  ['openEuler-22.03', 'openeuler', 'openeuler ?'],
  ['openEuler-22.09', 'openeuler', 'openeuler 22.09'],
  ['mageia-9', 'mageia', 'mageia 9'],
  ['', 'debian', '? ?'],
  ['gentoo-2.13', 'debian', '? ?'],
  ['99999', 'debian', '? ?'],
  [`debian-${'1'.repeat(100)}`, 'debian', '? ?'],
]

/** Namespaces in one row mean the same distribution. */
const sameNamespaces = [
  ['redhat', 'rhel'],
  ['amazon', 'amzn'],
  ['oracle', 'ol'],
  ['alma', 'almalinux'],
  ['rocky', 'rocky-linux', 'rockylinux'],
  ['azurelinux', 'mariner', 'cbl-mariner'],
  ['openEuler', 'openeuler'],
]

const hints: [distribution: string, version: string, release: string | null][] = [
  ['debian', '1.1.1n-0+deb11u3', '11'],
  ['debian', '2.36-9+deb12u3', '12'],
  ['debian', '5.2.5-2.1~deb11u1', '11'],
  ['debian', '1.2-1~bpo11+1', '11'],
  ['debian', '5.1-2', null],
  ['ubuntu', '1:1.2-0ubuntu0.22.04.1', '22.04'],
  ['ubuntu', '2.0~22.04.1', '22.04'],
  ['ubuntu', '3.0.2-0ubuntu1.10', null],
  ['ubuntu', '22.04.1-0ubuntu1', null],
  ['redhat', '3.0.7-24.el9', '9'],
  ['almalinux', '4.18.0-477.el8_8', '8'],
  ['rocky', '2.4.37-51.module+el8.7.0+1059+126e9251', '8'],
  ['almalinux', '0.1.15-2.git2d0b8a3.module_el8.5.0+119+9a9ec082', '8'],
  ['redhat', '6.22.1-1.el8sat', '8'],
  ['redhat', '1.0-1.fc38', null],
  ['photon', '1.1.1-1.ph4', '4.0'],
  ['azurelinux', '2.38-6.azl3', '3'],
  ['azurelinux', '2.35-2.cm2', '2'],
  ['mageia', '3.0.9-1.mga9', '9'],
  ['openeuler', '1.1.1m-15.oe2203sp1', '22.03-lts-sp1'],
  ['openeuler', '1.1.1m-15.oe2403', '24.03-lts'],
  ['openeuler', '1.1.1m-15.oe2103', null],
  ['opensuse', '1.1.0i-lp151.8.3.1', 'leap 15.1'],
  ['alpine', '1.34.1-r7', null],
]

describe('readRelease', () => {
  it.each(spellings)('%s in %s is %s', (text, assumed, expected) => {
    expect(place(text, assumed)).toBe(expected)
  })

  it('knows no spelling twice', () => {
    const all = distributions.flatMap(({ spellings }) => [...spellings.keys()])
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((spelling) => spelling !== spelling.toLowerCase())).toEqual([])
    const codeNames = distributions.flatMap(({ codeNames }) => [...codeNames.keys()])
    expect(new Set(codeNames).size).toBe(codeNames.length)
  })

  it('reads the own name of every distribution as itself', () => {
    for (const { id, title } of distributions) {
      expect([distributionOf(id)?.id, distributionOf(title)?.id]).toEqual([id, id])
    }
  })
})

describe('distributionOf', () => {
  it.each(sameNamespaces.map((row) => [row.join(', '), row]))('%s are one distribution', (_row, names) => {
    expect(new Set(names.map((name) => distributionOf(name)?.id)).size).toBe(1)
    expect(distributionOf(names[0] ?? '')).not.toBeNull()
  })

  it('knows nothing of derivatives', () => {
    expect(['raspbian', 'kali', 'linuxmint', ''].map(distributionOf)).toEqual([null, null, null, null])
  })
})

describe('hintedRelease', () => {
  it.each(hints)('%s %s: %s', (id, version, expected) => {
    const distribution = distributionOf(id)
    expect(distribution && hintedRelease(distribution, version)).toBe(expected)
  })
})
