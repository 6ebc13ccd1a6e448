import { expect, test } from 'vitest'
import { assertionsOf } from './assertions.ts'
import { readRecord } from './read-record.ts'

type Row = [otherId: string, relation: string, bridges: boolean]
const table: [rule: string, id: string, parts: Record<string, unknown>, expected: Row[]][] = [
  ['a record names itself', 'OSV-1', {}, []],
  [
    'aliases bridge',
    'GHSA-1',
    { aliases: ['CVE-1', 'PYSEC-1'] },
    [
      ['CVE-1', 'alias', true],
      ['PYSEC-1', 'alias', true],
    ],
  ],
  [
    'two CVEs make a bundle: none of its aliases bridges',
    'GHSA-1',
    { aliases: ['CVE-1', 'CVE-2', 'PYSEC-1'] },
    [
      ['CVE-1', 'alias', false],
      ['CVE-2', 'alias', false],
      ['PYSEC-1', 'alias', false],
    ],
  ],
  [
    'a CVE that names another CVE is a bundle too',
    'CVE-1',
    { aliases: ['CVE-2'] },
    [['CVE-2', 'alias', false]],
  ],
  [
    'so does an erratum with another CVE than its alias upstream',
    'DSA-1',
    { aliases: ['CVE-1'], upstream: ['CVE-1', 'CVE-2'] },
    [
      ['CVE-1', 'alias', false],
      ['CVE-1', 'upstream', false],
      ['CVE-2', 'upstream', false],
    ],
  ],
  [
    'or related',
    'ALSA-2025:2',
    { aliases: ['CVE-1'], related: ['CVE-2'] },
    [
      ['CVE-1', 'alias', false],
      ['CVE-2', 'upstream', false],
    ],
  ],
  [
    'what is upstream of another record is another vulnerability',
    'GHSA-1',
    { aliases: ['CVE-1'], upstream: ['CVE-2'] },
    [
      ['CVE-1', 'alias', true],
      ['CVE-2', 'upstream', false],
    ],
  ],
  [
    'two errata with the same CVEs stay the same',
    'ALSA-2025:3',
    { aliases: ['RHSA-3'], related: ['CVE-1', 'CVE-2'] },
    [
      ['RHSA-3', 'alias', true],
      ['CVE-1', 'upstream', false],
      ['CVE-2', 'upstream', false],
    ],
  ],
  [
    'more than five aliases do not group; the one CVE is still meant',
    'GHSA-1',
    { aliases: ['CVE-1', 'A', 'B', 'C', 'D', 'E'] },
    [['CVE-1', 'upstream', false], ...['A', 'B', 'C', 'D', 'E'].map((id): Row => [id, 'alias', false])],
  ],
  [
    'five are fine',
    'GHSA-1',
    { aliases: ['CVE-1', 'A', 'B', 'C', 'D'] },
    ['CVE-1', 'A', 'B', 'C', 'D'].map((id): Row => [id, 'alias', true]),
  ],
  [
    'upstream is upstream',
    'DEBIAN-CVE-1',
    { upstream: ['CVE-1', 'CVE-2'] },
    [
      ['CVE-1', 'upstream', false],
      ['CVE-2', 'upstream', false],
    ],
  ],
  [
    'related CVEs of an erratum count as upstream, other ids do not',
    'ALSA-2025:1',
    { related: ['CVE-1', 'RHSA-1'] },
    [
      ['CVE-1', 'upstream', false],
      ['RHSA-1', 'related', false],
    ],
  ],
  [
    'records of a distribution on one CVE share a name for it',
    'USN-1',
    {
      upstream: ['CVE-1', 'UBUNTU-CVE-1'],
      affected: [{ package: { ecosystem: 'Ubuntu:24.04:LTS', name: 'x' } }],
    },
    [
      ['CVE-1', 'upstream', false],
      ['UBUNTU-CVE-1', 'upstream', false],
      ['Ubuntu CVE-1', 'notice', true],
    ],
  ],
  [
    'those on several share none',
    'USN-1',
    { upstream: ['CVE-1', 'CVE-2'], affected: [{ package: { ecosystem: 'Ubuntu:24.04:LTS', name: 'x' } }] },
    [
      ['CVE-1', 'upstream', false],
      ['CVE-2', 'upstream', false],
    ],
  ],
  ['of other records they are related only', 'GHSA-1', { related: ['CVE-1'] }, [['CVE-1', 'related', false]]],
  [
    'related and upstream at once is said once',
    'RLSA-1',
    { upstream: ['CVE-1'], related: ['CVE-1'] },
    [['CVE-1', 'upstream', false]],
  ],
  [
    'a withdrawn record claims nothing',
    'GHSA-1',
    { aliases: ['CVE-1'], withdrawn: '2025-01-01' },
    [['CVE-1', 'alias', false]],
  ],
]

test.each(table)('%s', (_, id, parts, expected) => {
  const assertions = assertionsOf(readRecord({ id, modified: '2025-01-01', ...parts }, 'x'))
  expect(assertions.map(({ otherId, relation, bridges }) => [otherId, relation, bridges])).toEqual([
    [id, 'self', true],
    ...expected,
  ])
})

test.each([
  'ALBA-1',
  'RHSA-1',
  'SUSE-SU-1',
  'openSUSE-SU-1',
  'USN-1',
  'DSA-1',
  'DLA-1',
  'ELSA-1',
  'MGASA-1',
  'OESA-1',
])('%s is an erratum', (id) => {
  const [, related] = assertionsOf(readRecord({ id, modified: '2025-01-01', related: ['CVE-1'] }, 'x'))
  expect(related?.relation).toBe('upstream')
})
