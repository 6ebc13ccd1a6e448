import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { RpmAdvisory } from '../rpm-advisories/advisory.ts'
import { readOval } from './read-oval.ts'

async function read(content: string | Buffer): Promise<RpmAdvisory[]> {
  const path = join(mkdtempSync(join(tmpdir(), 'oval-test-')), 'oval.xml')
  writeFileSync(path, content)
  const found: RpmAdvisory[] = []
  for await (const advisory of readOval(path)) found.push(advisory)
  return found
}

const criterion = (comment: string) =>
  `<criterion test_ref="oval:com.oracle.elsa:tst:1" comment="${comment}"/>`
const all = (...parts: string[]) => `<criteria operator="AND">${parts.join('')}</criteria>`
const any = (...parts: string[]) => `<criteria operator="OR">${parts.join('')}</criteria>`
const earlier = (name: string, version: string) =>
  all(
    criterion(`${name} is earlier than ${version}`),
    criterion(`${name} is signed with the Oracle Linux 8 key`),
  )

const definition = (criteria: string, { id = 'ELSA-2019-0975', platforms = ['8'] } = {}) =>
  `<oval_definitions xmlns="http://oval.mitre.org/XMLSchema/oval-definitions-5"><generator/><definitions><definition id="oval:com.oracle.elsa:def:20190975" version="501" class="patch"><metadata><title>
${id}:  container-tools:ol8 security and bug fix update (IMPORTANT)
</title><affected family="unix">${platforms.map((each) => `<platform>Oracle Linux ${each}</platform>`).join('')}</affected>
<reference source="elsa" ref_id="${id}" ref_url="https://linux.oracle.com/errata/${id}.html"/><reference source="CVE" ref_id="CVE-2019-5736" ref_url="https://linux.oracle.com/cve/CVE-2019-5736.html"/>
<advisory><severity>IMPORTANT</severity><issued date="2019-07-30"/>
<cve cvss2="4.4/AV:L/AC:M/Au:N/C:P/I:P/A:P" cvss3="7.7/CVSS:3.0/AV:L/AC:H/PR:N/UI:R/S:C/C:H/I:H/A:H" href="https://linux.oracle.com/cve/CVE-2019-5736.html" public="20190211">CVE-2019-5736</cve><cve>CVE-2019-9999</cve><cve>nonsense</cve>
</advisory></metadata>${criteria}</definition></definitions></oval_definitions>`

const fixesOf = async (criteria: string, more = {}) => {
  const [advisory] = await read(definition(criteria, more))
  return advisory?.platforms.flatMap(({ ecosystem, fixes }) =>
    fixes.map(({ name, fixed, from, module }) =>
      [ecosystem, name, fixed, from, module].filter(Boolean).join(' '),
    ),
  )
}

describe('definitions of Oracle Linux', () => {
  it('are read as the publisher writes them', async () => {
    const buildah = '0:1.5-3.0.1.gite94b4f9.module+el8.0.0+5215+77f672ad'
    const text = definition(
      all(
        criterion('Oracle Linux 8 is installed'),
        criterion('Module container-tools:ol8 is enabled'),
        any(all(criterion('Oracle Linux arch is x86_64'), any(earlier('buildah', buildah)))),
      ),
    )
    const expected = [
      {
        id: 'ELSA-2019-0975',
        platforms: [
          {
            ecosystem: 'Oracle Linux:8',
            fixes: [{ name: 'buildah', fixed: buildah.slice(2), module: 'container-tools:ol8' }],
          },
        ],
        title: 'container-tools:ol8 security and bug fix update',
        severity: 'IMPORTANT',
        vectors: ['CVSS:3.0/AV:L/AC:H/PR:N/UI:R/S:C/C:H/I:H/A:H'],
        issued: '2019-07-30',
        updated: null,
        cves: ['CVE-2019-5736', 'CVE-2019-9999'],
        references: [{ type: 'ADVISORY', url: 'https://linux.oracle.com/errata/ELSA-2019-0975.html' }],
      },
    ]
    expect(await read(text)).toEqual(expected)
    expect(await read(gzipSync(text))).toEqual(expected)
  })

  it.each<[what: string, criteria: string, expected: string[], platforms?: string[]]>([
    [
      'releases beside each other',
      any(
        all(criterion('Oracle Linux 5 is installed'), any(earlier('firefox', '0:3-1.el5'))),
        all(criterion('Oracle Linux 6 is installed'), any(earlier('firefox', '0:3-1.el6'))),
      ),
      ['Oracle Linux:5 firefox 3-1.el5', 'Oracle Linux:6 firefox 3-1.el6'],
    ],
    [
      'modules beside each other',
      all(
        criterion('Oracle Linux 8 is installed'),
        any(
          all(criterion('Module a:1 is enabled'), any(earlier('a', '0:1-1'))),
          all(criterion('Module b:2 is enabled'), any(earlier('b', '0:2-1'))),
        ),
      ),
      ['Oracle Linux:8 a 1-1 a:1', 'Oracle Linux:8 b 2-1 b:2'],
    ],
    [
      'no release',
      any(earlier('a', '1:1-1')),
      ['Oracle Linux:7 a 1:1-1', 'Oracle Linux:8 a 1:1-1'],
      ['7', '8'],
    ],
    [
      'what follows the packages',
      all(any(earlier('a', '0:1-1')), criterion('Oracle Linux 10 is installed')),
      ['Oracle Linux:10 a 1-1'],
    ],
    [
      'a package for several architectures',
      all(
        criterion('Oracle Linux 8 is installed'),
        any(
          all(criterion('Oracle Linux arch is aarch64'), any(earlier('a', '0:1-1'))),
          all(criterion('Oracle Linux arch is x86_64'), any(earlier('a', '0:1-1'), earlier('a', '0:1-2'))),
        ),
      ),
      ['Oracle Linux:8 a 1-1', 'Oracle Linux:8 a 1-2'],
    ],
    [
      'kernels of Oracle, and tools of them',
      all(
        criterion('Oracle Linux 7 is installed'),
        any(
          earlier('kernel-uek', '0:4.14.35-1902.6.6.el7uek'),
          earlier('perf', '0:4.14.35-1902.6.6.el7uek'),
          earlier('kernel', '0:3.10.0-123.13.2.el7'),
        ),
      ),
      [
        'Oracle Linux:7 kernel 3.10.0-123.13.2.el7',
        'Oracle Linux:7 kernel-uek 4.14.35-1902.6.6.el7uek 4.14.35',
        'Oracle Linux:7 perf 4.14.35-1902.6.6.el7uek 4.14.35',
      ],
    ],
    ['no criteria', '', []],
  ])('with %s', async (_, criteria, expected, platforms = ['8']) => {
    expect(await fixesOf(criteria, { platforms })).toEqual(expected)
  })

  it.each([
    ['an id of somebody else', definition('', { id: 'RHSA-2019:0975' })],
    ['a file that is cut off', definition('').slice(0, -30)],
    ['a bzip2 file that is cut off', Buffer.from('QlpoOTFBWSZTWbM1tvIAAAVT', 'base64')],
    ['a page', '<!doctype html><html></html>'],
    ['criteria without an end', definition('<criteria>'.repeat(50))],
  ])('%s is refused', async (_, content) => {
    await expect(read(content)).rejects.toThrow(/^expected /)
  })
})
