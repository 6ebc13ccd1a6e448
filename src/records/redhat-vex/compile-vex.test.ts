import { describe, expect, it } from 'vitest'
import {
  baseos9,
  eus100,
  eus90,
  openshift,
  rhel8,
  rhel9,
  vexFile,
  type Said,
} from '../../../test/vulndata/red-hat-vex-files.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import type { StoredRedHatVex } from '../red-hat-word.ts'
import { compileVex } from './compile-vex.ts'
import { readListing } from './listing.ts'

const stored = (value: unknown) => JSON.parse(compileVex(value, 'a test').document) as StoredRedHatVex

/** `release[/minor] [module] status packages: all that is said`. */
const statementsOf = (...said: Said[]) =>
  stored(vexFile('CVE-2025-0001', said)).statements.map((each) => {
    const { release, minor, module, status, packages, justification, remedy, fixedIn, advisory, impact } =
      each
    const words = [justification, remedy, fixedIn, advisory, impact].filter((word) => word !== null)
    return `${[minor ?? release, module, status, packages.join(' ')].filter((part) => part !== null).join(' ')}: ${words.join(', ')}`
  })

const affected = { status: 'known_affected', product: rhel9, packaged: 'samba' } as const

describe('a file of Red Hat’s VEX', () => {
  it('is a record that finds, closes and scores nothing', () => {
    const record = compileVex(vexFile('CVE-2025-0001', [affected]), 'a test')
    expect(record).toMatchObject({
      id: 'RHVEX:CVE-2025-0001',
      source: 'redhat-vex',
      severity: 'unknown',
      score: null,
      modifiedAt: new Date('2025-03-01T10:00:00Z'),
      withdrawnAt: null,
    })
    expect(record.ranges().ranges).toEqual([])
    expect(record.assertions.filter(({ bridges }) => bridges)).toEqual([
      { otherId: 'RHVEX:CVE-2025-0001', relation: 'self', bridges: true },
    ])
    expect(JSON.parse(record.document)).toMatchObject({
      cve: 'CVE-2025-0001',
      stated: '2025-03-01T10:00:00.000Z',
    })
  })

  it.each<[what: string, said: Said[], expected: string[]]>([
    [
      'affected without a fix',
      [{ ...affected, remedy: ['no_fix_planned', 'Will not fix'], impact: 'Low' }],
      ['9 known_affected samba: Will not fix, Low'],
    ],
    [
      'affected and put off',
      [{ ...affected, remedy: ['none_available', 'Fix deferred'] }],
      ['9 known_affected samba: Fix deferred'],
    ],
    ['affected', [affected], ['9 known_affected samba: ']],
    [
      'not affected, and why',
      [{ ...affected, status: 'known_not_affected', flag: 'vulnerable_code_not_present' }],
      ['9 known_not_affected samba: vulnerable_code_not_present'],
    ],
    [
      'under investigation',
      [{ ...affected, status: 'under_investigation' }],
      ['9 under_investigation samba: '],
    ],
    [
      'fixed, each package once for all architectures',
      [
        'samba-0:4.18.6-1.el9.src',
        'samba-0:4.18.6-1.el9.x86_64',
        'samba-libs-0:4.18.6-1.el9.s390x',
        'samba-debuginfo-0:4.18.6-1.el9.x86_64',
      ].map(
        (packaged) => ({ status: 'fixed', product: baseos9, packaged, advisory: 'RHSA-2023:6667' }) as const,
      ),
      ['9 fixed samba samba-libs: 4.18.6-1.el9, RHSA-2023:6667'],
    ],
    [
      'fixed with an epoch',
      [
        {
          status: 'fixed',
          product: baseos9,
          packaged: 'openssl-1:3.0.7-25.el9_3.src',
          advisory: 'RHSA-2024:1',
        },
      ],
      ['9 fixed openssl: 1:3.0.7-25.el9_3, RHSA-2024:1'],
    ],
    [
      'fixed in extended support',
      [{ status: 'fixed', product: eus90, packaged: 'samba-0:4.15.5-111.el9_0.src' }],
      ['9.0 fixed samba: 4.15.5-111.el9_0'],
    ],
    [
      'fixed in extended support since release 10',
      [{ status: 'fixed', product: eus100, packaged: 'samba-0:4.21.3-7.el10_0.src' }],
      ['10.0 fixed samba: 4.21.3-7.el10_0'],
    ],
    [
      'a module',
      [
        {
          status: 'fixed',
          product: rhel8,
          module: 'nodejs:18:8090020240101:rhel8',
          packaged: 'nodejs-1:18.19-1.module+el8.src',
        },
        { status: 'known_affected', product: rhel8, packaged: 'nodejs:16/nodejs' },
        {
          status: 'known_affected',
          product: rhel8,
          packaged: 'nodejs:20/npm',
          purl: 'pkg:rpm/redhat/npm?rpmmod=nodejs:20',
        },
      ],
      [
        '8 nodejs:16 known_affected nodejs: ',
        '8 nodejs:20 known_affected npm: ',
        '8 nodejs:18 fixed nodejs: 1:18.19-1.module+el8',
      ],
    ],
    [
      'named by a purl',
      [{ ...affected, packaged: 'an id', purl: 'pkg:rpm/redhat/samba?arch=src' }],
      ['9 known_affected samba: '],
    ],
    ['a container', [{ ...affected, packaged: 'ubi9/x', purl: 'pkg:oci/ubi9?repository_url=x' }], []],
    ['a layered product', [{ ...affected, product: openshift }], []],
  ])('says of what is %s', (_, said, expected) => {
    expect(statementsOf(...said)).toEqual(expected)
  })

  it('that is withdrawn affects nothing', () => {
    const record = compileVex(vexFile('CVE-2025-0001', [], { tracking: { status: 'deleted' } }), 'a test')
    expect(record.withdrawnAt).toEqual(new Date('2025-03-01T10:00:00Z'))
  })

  it('keeps no more packages than any file has', () => {
    const many = Array.from({ length: 20_100 }, (_, at) => ({ ...affected, packaged: `p${at}` }))
    expect(
      stored(vexFile('CVE-2025-0001', many)).statements.flatMap(({ packages }) => packages),
    ).toHaveLength(20_000)
  })

  const nested = (levels: number) =>
    Array.from({ length: levels }).reduce<object>((inner) => ({ branches: [inner] }), {})

  it.each<[what: string, value: unknown]>([
    ['another list', []],
    ['nothing', null],
    [
      'an advisory of Red Hat',
      {
        document: { category: 'csaf_security_advisory', publisher: { namespace: 'https://www.redhat.com' } },
      },
    ],
    [
      'VEX of somebody else',
      { document: { category: 'csaf_vex', publisher: { namespace: 'https://redhat.com.example' } } },
    ],
    ['another id', vexFile('RHSA-2025:1', [])],
    ['no time', vexFile('CVE-2025-0001', [], { released: 'soon' })],
    ['deep nesting', { ...vexFile('CVE-2025-0001', []), product_tree: nested(5_000) }],
  ])('is refused: %s', (_, value) => {
    expect(() => compileVex(value, 'a test')).toThrow(RefusedData)
  })

  it('is read whatever its parts are', () => {
    const file = vexFile('CVE-2025-0001', [affected])
    for (const part of [null, 7, 'x', [], {}, [null], [7], [{}]])
      for (const key of ['product_tree', 'vulnerabilities'])
        expect(stored({ ...file, [key]: part }).statements).toEqual([])
    const [vulnerability] = file['vulnerabilities'] as object[]
    for (const part of [null, 7, 'x', [null], { known_affected: 7 }, { known_affected: [null, 7, {}] }])
      for (const key of ['product_status', 'flags', 'remediations', 'threats'])
        expect(() => stored({ ...file, vulnerabilities: [{ ...vulnerability, [key]: part }] })).not.toThrow()
  })
})

describe('a list of files', () => {
  it('gives each CVE with its time, newest first', () => {
    const text =
      '"2023/cve-2023-0030.json","2023-12-10T00:00:00+00:00"\n2024/cve-2024-9355.json,2024-11-18T08:56:36Z\r\n\n'
    expect(
      readListing(Buffer.from(text), 'changes.csv').map(({ cve, file, at }) => [cve, file, at.toISOString()]),
    ).toEqual([
      ['CVE-2024-9355', '2024/cve-2024-9355.json', '2024-11-18T08:56:36.000Z'],
      ['CVE-2023-0030', '2023/cve-2023-0030.json', '2023-12-10T00:00:00.000Z'],
    ])
  })

  it.each([
    '<!doctype html><html></html>',
    '"../../../etc/passwd.json","2023-12-10T00:00:00+00:00"',
    '"https://evil.example/cve-2023-0030.json","2023-12-10T00:00:00+00:00"',
    '"2023/cve-2023-0030.json","soon"',
    '"2023/cve-2023-0030.json"',
  ])('is refused: %s', (text) => {
    expect(() => readListing(Buffer.from(text), 'changes.csv')).toThrow(RefusedData)
  })
})
