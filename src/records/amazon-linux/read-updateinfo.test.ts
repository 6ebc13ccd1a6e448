import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { RpmAdvisory } from '../rpm-advisories/advisory.ts'
import { readUpdateinfo } from './read-updateinfo.ts'

async function read(content: string | Buffer): Promise<RpmAdvisory[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'updateinfo-test-')), 'updateinfo.xml')
  writeFileSync(path, content)
  const found: RpmAdvisory[] = []
  for await (const advisory of readUpdateinfo(path)) found.push(advisory)
  return found
}

const notice = (id: string, packages: string, more = '') =>
  `<?xml version="1.0" ?>\n<updates><update author="linux-security@amazon.com" status="final" type="security" version="1.4"><id>${id}</id>` +
  `<title>Amazon Linux 2 2017.12 - ${id}: important priority package update for qemu-kvm</title><issued date="2018-02-07 18:49" /><updated date="2018-02-08 21:46" />` +
  `<severity>important</severity><description>Text &amp;#039;quoted&amp;#039;</description><references><reference href="http://cve.mitre.org/" id="CVE-2017-5715" title="" type="cve" />` +
  `<reference id="CVE-2017-5715" type="cve"/><reference id="RHSA-2018:1" type="self"/></references><pkglist><collection short="amazon-linux-2"><name>Amazon Linux 2</name>${packages}</collection></pkglist></update>${more}</updates>`

const rpm = (name: string, version: string, release = '1.amzn2', epoch = '0') =>
  `<package arch="x86_64" epoch="${epoch}" name="${name}" release="${release}" version="${version}"><filename>x.rpm</filename></package>`

describe('notices of a repository of Amazon Linux', () => {
  it('are read as the publisher writes them, also gzip', async () => {
    const text = notice(
      'ALAS2-2018-942',
      rpm('qemu-img', '1.5.3', '141.amzn2.5.3', '10') + rpm('bash', '4.2'),
    )
    const expected = [
      {
        id: 'ALAS2-2018-942',
        platforms: [
          {
            ecosystem: 'Amazon Linux:2',
            fixes: [
              { name: 'bash', fixed: '4.2-1.amzn2' },
              { name: 'qemu-img', fixed: '10:1.5.3-141.amzn2.5.3' },
            ],
          },
        ],
        title: 'important priority package update for qemu-kvm',
        severity: 'important',
        vectors: [],
        issued: '2018-02-07T18:49:00Z',
        updated: '2018-02-08T21:46:00Z',
        cves: ['CVE-2017-5715'],
        references: [{ type: 'ADVISORY', url: 'https://alas.aws.amazon.com/AL2/ALAS-2018-942.html' }],
      },
    ]
    expect(await read(text)).toEqual(expected)
    expect(await read(gzipSync(text))).toEqual(expected)
  })

  it.each<[id: string, name: string, version: string, epoch: string, told: object]>([
    ['ALAS2KERNEL-5.10-2022-001', 'kernel', '5.10.220', '0', { from: '5.10' }],
    ['ALAS2KERNEL-5.1-2022-001', 'kernel', '5.10.220', '0', { isOfRepository: true }],
    ['ALAS2MARIADB10.5-2023-001', 'mariadb', '10.5.10', '3', { from: '3:10.5' }],
    ['ALAS2MARIADB10.5-2023-001', 'galera', '26.4', '0', { isOfRepository: true }],
    ['ALAS2POSTGRESQL14-2023-001', 'postgresql', '14.7', '0', { from: '14' }],
    ['ALAS2DOCKER-2023-001', 'docker', '20.10.17', '0', { isOfRepository: true }],
    ['ALAS2LIVEPATCH-2021-030', 'kernel-livepatch-4.14.165-131.185', '1.0', '0', {}],
    ['ALAS2023-2023-001', 'kernel', '6.1.19', '0', {}],
  ])('%s on %s %s', async (id, name, version, epoch, told) => {
    const [advisory] = await read(notice(id, rpm(name, version, '1', epoch)))
    const fixed = epoch === '0' ? `${version}-1` : `${epoch}:${version}-1`
    expect(advisory?.platforms[0]?.fixes).toEqual([{ name, fixed, ...told }])
  })

  it('that are not about security, and packages without a version, are left out', async () => {
    const bug = '<update type="bugfix"><id>whatever</id></update>'
    const [advisory, ...others] = await read(
      notice('ALAS2-2018-942', '<package name="bash" version="4"/>', bug),
    )
    expect(advisory?.platforms[0]?.fixes).toEqual([])
    expect(others).toEqual([])
  })

  it.each([
    ['an id of somebody else', notice('FEDORA-2024-1', '')],
    ['a file that is cut off', notice('ALAS2-2018-942', rpm('bash', '1')).slice(0, -30)],
    ['a gzip file that is cut off', gzipSync(notice('ALAS2-2018-942', rpm('bash', '1'))).subarray(0, 200)],
    ['a page', '<!doctype html><html></html>'],
  ])('%s is refused', async (_, content) => {
    await expect(read(content)).rejects.toThrow(/^expected /)
  })
})
