import { expect, test } from 'vitest'
import { versionKey } from '../../versions/ordering.ts'
import { compileRanges } from './compile-ranges.ts'
import { compileRecord } from './compile-record.ts'
import { readRecord } from './read-record.ts'

const range = (...events: Record<string, string>[]) => ({ type: 'ECOSYSTEM', events })
const open = range({ introduced: '0' })

function compile(
  id: string,
  ecosystem: string,
  parts: Record<string, unknown>,
  more: Record<string, unknown> = {},
) {
  const affected = [{ package: { ecosystem, name: 'pkg' }, ...parts }]
  return compileRanges(readRecord({ id, modified: '2025-01-01', affected, ...more }, 'x')).ranges
}

function shown(rows: ReturnType<typeof compile>): string[] {
  return rows.map(({ kind, introduced, upperText, upperIncluded }) =>
    kind === 'listed' ? introduced : `[${introduced},${upperText ?? ''}${upperIncluded ? ']' : ')'}`,
  )
}

const table: [
  rule: string,
  id: string,
  ecosystem: string,
  parts: Record<string, unknown>,
  expected: string[],
][] = [
  ['a range', 'OSV-1', 'npm', { ranges: [range({ introduced: '0' }, { fixed: '2.0.0' })] }, ['[0,2.0.0)']],
  [
    'GIT ranges are skipped, never the rest',
    'OSV-1',
    'PyPI',
    { ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }, range({ introduced: '1.0' })] },
    ['[1.0,)'],
  ],
  [
    'a GIT range with a list is the list',
    'OSV-1',
    'PyPI',
    { ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }], versions: ['1.0', '1.1'] },
    ['1.0', '1.1'],
  ],
  ['a list alone', 'OSV-1', 'PyPI', { versions: ['1.0', '2.0'] }, ['1.0', '2.0']],
  [
    'of a list only what lies outside the ranges',
    'OSV-1',
    'PyPI',
    { ranges: [range({ introduced: '0' }, { fixed: '2.0' })], versions: ['1.0', '2.0', '1.9.post1'] },
    ['[0,2.0)', '2.0'],
  ],
  [
    'a listed version that no order knows is kept by its text',
    'OSV-1',
    'npm',
    { ranges: [open], versions: ['1.0.0', 'next'] },
    ['[0,)', 'next'],
  ],
  [
    'malware with a list is the list alone',
    'MAL-1',
    'npm',
    { ranges: [open], versions: ['6.6.6'] },
    ['6.6.6'],
  ],
  ['malware without a list is its ranges', 'MAL-1', 'npm', { ranges: [open] }, ['[0,)']],
  [
    'the same range twice is one row',
    'OSV-1',
    'npm',
    { ranges: [open, open], versions: ['1.0.0', '1.0.0'] },
    ['[0,)'],
  ],
  ['an ecosystem without components affects nothing', 'OSV-1', 'FreeBSD:ports', { ranges: [open] }, []],
]

test.each(table)('%s', (_, id, ecosystem, parts, expected) => {
  expect(shown(compile(id, ecosystem, parts))).toEqual(expected)
})

test('a withdrawn record affects nothing', () => {
  expect(
    compile('OSV-1', 'npm', { ranges: [open], versions: ['1.0.0'] }, { withdrawn: '2025-01-01' }),
  ).toEqual([])
})

test('keyed schemes have keys, the lowest bound is empty; others have none', () => {
  const [npm] = compile('OSV-1', 'npm', { ranges: [range({ introduced: '0' }, { fixed: '2.0.0' })] })
  expect(npm?.lowerKey).toEqual(new Uint8Array(0))
  expect(npm?.upperKey?.length).toBeGreaterThan(0)
  const [maven] = compile('OSV-1', 'Maven', { ranges: [range({ introduced: '0' }, { fixed: '2.0' })] })
  expect([maven?.lowerKey, maven?.upperKey, maven?.introduced, maven?.upperText]).toEqual([
    null,
    null,
    '0',
    '2.0',
  ])
  const [listed] = compile('OSV-1', 'npm', { versions: ['1.0.0'] })
  expect([listed?.lowerKey, listed?.upperIncluded]).toEqual([listed?.upperKey, true])
  const [text] = compile('OSV-1', 'npm', { versions: ['next'] })
  expect([text?.lowerKey, text?.upperKey]).toEqual([null, null])
})

test('names and releases are those of components', () => {
  const places = (ecosystem: string, name: string) =>
    compileRanges(
      readRecord(
        { id: 'OSV-1', modified: '2025-01-01', affected: [{ package: { ecosystem, name }, ranges: [open] }] },
        'x',
      ),
    ).ranges.map((row) => [row.packageKey.replace('\u001f', '/'), row.release])
  expect(places('PyPI', 'Foo_Bar')).toEqual([['PyPI/foo-bar', '']])
  expect(places('Debian:12', 'openssl')).toEqual([['Debian/openssl', '12']])
  expect(places('Debian', 'openssl')).toEqual([])
  expect(places('Maven:https://repo.test', 'a:b')).toEqual([['Maven/a:b', '']])
})

test('the fix tells the stream of each range of a modular distribution', () => {
  const rows = compile(
    'ALSA-1',
    'AlmaLinux:8',
    {
      ranges: [
        range({ introduced: '0' }, { fixed: '1:1.0-1.el8' }),
        range({ introduced: '0' }, { fixed: '1:2.0-1.module_el8.5.0+1+1' }),
        range({ introduced: '0' }, { fixed: '1:3.0-1.el9' }),
      ],
    },
    { summary: 'Important: nodejs:18 security update' },
  )
  expect(rows.map((row) => [row.stream, row.upperText])).toEqual([
    ['', '1:1.0-1.el8'],
    ['nodejs:18', '1:2.0-1.module_el8.5.0+1+1'],
  ])
})

test('only the deciding parts change the deciding hash', () => {
  const affected = [
    { package: { ecosystem: 'npm', name: 'pkg' }, ranges: [open], database_specific: { a: 1 } },
  ]
  const record = { id: 'OSV-1', modified: '2025-01-01', affected, aliases: ['CVE-1'] }
  const hashOf = (value: Record<string, unknown>) =>
    compileRecord(value, JSON.stringify(value), 'x').decidingHash
  const same = [
    { ...record, modified: '2025-02-01' },
    { ...record, summary: 'x', details: 'y', references: [{}], severity: [{}], published: '2025-01-01' },
    { ...record, affected: [{ ...affected[0], database_specific: { a: 2 } }] },
  ]
  const different = [
    { ...record, aliases: [] },
    { ...record, upstream: ['CVE-1'] },
    { ...record, related: ['CVE-1'] },
    { ...record, withdrawn: '2025-01-01' },
    { ...record, affected: [] },
    { ...record, affected: [{ ...affected[0], versions: ['1.0.0'] }] },
    { ...record, affected: [{ ...affected[0], database_specific: { informational: 'notice' } }] },
  ]
  expect(new Set([record, ...same].map(hashOf)).size).toBe(1)
  expect(new Set([record, ...different].map(hashOf)).size).toBe(1 + different.length)
})

const keyOf = (version: string) => versionKey('pep440', version) ?? new Uint8Array()

test.each<[rule: string, parts: Record<string, unknown>, inside: string[], outside: string[]]>([
  [
    'affected up to a version is affected up to its local versions',
    { ranges: [range({ introduced: '0' }, { last_affected: '2.5.1' })] },
    ['2.5.1', '2.5.1+cu118', '2.5.1+9'],
    ['2.5.1.post1', '2.5.2', '2.6.0+cu124'],
  ],
  [
    'a listed version is listed with them',
    { versions: ['2.5.1'] },
    ['2.5.1', '2.5.1+cu118'],
    ['2.5', '2.5.2'],
  ],
  ['a listed local version is one', { versions: ['2.5.1+cu1'] }, ['2.5.1+cu1'], ['2.5.1', '2.5.1+cu2']],
  [
    'fixed in a version, its local versions are fixed',
    { ranges: [range({ introduced: '0' }, { fixed: '2.5.1' })] },
    ['2.5', '2.5+cu118'],
    ['2.5.1', '2.5.1+cu118'],
  ],
])('PEP 440: %s', (_rule, parts, inside, outside) => {
  const rows = compile('OSV-1', 'PyPI', parts)
  const isIn = (version: string) =>
    rows.some(({ lowerKey, upperKey, upperIncluded }) => {
      const order = upperKey === null ? -1 : Buffer.compare(keyOf(version), upperKey)
      const isBelow = order < 0 || (upperIncluded && order === 0)
      return isBelow && lowerKey !== null && Buffer.compare(lowerKey, keyOf(version)) <= 0
    })
  expect(inside.filter((version) => !isIn(version))).toEqual([])
  expect(outside.filter(isIn)).toEqual([])
})

const known = (words: string) => ({
  ranges: [range({ introduced: '1.0.0' })],
  database_specific: { last_known_affected_version_range: words },
})

test.each<[words: string, certain: string[], doubtful: string[]]>([
  ['< 15.5.1', ['1.0.0', '15.5.0'], ['15.5.1', '16.2.1']],
  ['<= 15.5.1', ['1.0.0', '15.5.1'], ['15.5.2', '16.2.1']],
  ['nothing that is read', ['1.0.0', '16.2.1'], []],
  ['< 0.9.0', ['1.0.0', '16.2.1'], []],
  ['< next', ['1.0.0', '16.2.1'], []],
])('a range without an end that is known as far as %s', (words, certain, doubtful) => {
  const rows = compile('OSV-1', 'npm', known(words))
  const key = (version: string) => versionKey('semver', version) ?? new Uint8Array()
  const hits = (version: string) =>
    rows
      .filter(({ lowerKey, upperKey, upperIncluded }) => {
        const order = upperKey === null ? -1 : Buffer.compare(key(version), upperKey)
        return (
          lowerKey !== null &&
          Buffer.compare(lowerKey, key(version)) <= 0 &&
          (order < 0 || (upperIncluded && order === 0))
        )
      })
      .map(({ doubt }) => doubt)
  for (const version of certain) expect(hits(version), version).toContain(null)
  for (const version of doubtful) expect(hits(version), version).toEqual(['beyond_last_known'])
  // nothing is fixed there
  expect(rows.map(({ upperText }) => upperText).filter((text) => text !== null)).toEqual([])
})
