import { describe, expect, it } from 'vitest'
import { bug, pageOf, update } from '../../../test/vulndata/fedora-updates.ts'
import { RefusedData } from '../../source-files/refused-data.ts'
import { compileUpdate } from './compile-update.ts'
import { linesOf, readPage } from './read-update.ts'

const compiled = (value: unknown) => compileUpdate(value, 'a test')

/** `release package < fix`, with the doubt. */
const rangesOf = (value: unknown) =>
  compiled(value)
    ?.ranges()
    .ranges.map(({ release, packageKey, introduced, upperText, doubt }) =>
      [release, packageKey.split('\u001f')[1], introduced, '<', upperText, doubt ?? ''].join(' ').trim(),
    )

const saysOf = (value: unknown) =>
  compiled(value)?.assertions.map(
    ({ relation, otherId, bridges }) => `${relation} ${otherId}${bridges ? ' =' : ''}`,
  )

describe('an update of Fedora', () => {
  it('is a record of its own that names the build which fixes the release', () => {
    const value = update('FEDORA-2025-aaa1111111', 'libxml2-2.12.10-1.fc40', {
      bugs: [bug('CVE-2024-56171 libxml2: Use-After-Free in libxml2 [fedora-40]')],
    })
    expect(compiled(value)).toMatchObject({
      id: 'FEDORA-2025-aaa1111111',
      source: 'fedora',
      class: 'vulnerability',
      summary: 'libxml2-2.12.10-1.fc40',
      severity: 'medium',
      ecosystems: ['Fedora'],
      publishedAt: new Date('2025-03-29T12:00:00Z'),
      modifiedAt: new Date('2025-03-29T12:00:00Z'),
      withdrawnAt: null,
    })
    expect(rangesOf(value)).toEqual(['40 libxml2 0 < 2.12.10-1.fc40'])
    expect(saysOf(value)).toEqual([
      'self FEDORA-2025-aaa1111111 =',
      'upstream CVE-2024-56171',
      'notice Fedora CVE-2024-56171 =',
    ])
  })

  it.each<[what: string, builds: unknown[], expected: string[]]>([
    [
      'several builds',
      [
        { nvr: 'nss-3.100-1.fc40', type: 'rpm', epoch: 0 },
        { nvr: 'nss-softokn-3.100-1.fc40', type: 'rpm', epoch: 0 },
      ],
      ['40 nss 0 < 3.100-1.fc40', '40 nss-softokn 0 < 3.100-1.fc40'],
    ],
    [
      'an epoch',
      [{ nvr: 'java-17-openjdk-17.0.14.0.7-1.fc40', type: 'rpm', epoch: 1 }],
      ['40 java-17-openjdk 0 < 1:17.0.14.0.7-1.fc40'],
    ],
    [
      'an epoch that is not known',
      [{ nvr: 'bind-9.18.30-1.fc40', type: 'rpm', epoch: null }],
      ['40 bind 0 < 9.18.30-1.fc40', '40 bind 1:0 < 9.18.30-1.fc40 unordered_bound'],
    ],
    ['a build of a module', [{ nvr: 'nodejs-16-3620220302191425.b7bb4a4a', type: 'module', epoch: 0 }], []],
    [
      'a package of a module',
      [{ nvr: 'nodejs-16.14.0-4.module_f36+13945+34ca1b4c', type: 'rpm', epoch: 1 }],
      [],
    ],
    [
      'what is no build',
      ['nss-3.100-1.fc40', { nvr: 'nss' }, { nvr: 7 }, null, { nvr: '-1-1', epoch: -1 }],
      [],
    ],
    [
      'the same build twice',
      [
        { nvr: 'a-1-1.fc40', epoch: 0 },
        { nvr: 'a-1-1.fc40', epoch: 0 },
      ],
      ['40 a 0 < 1-1.fc40'],
    ],
  ])('with %s', (_, builds, expected) => {
    expect(rangesOf(update('FEDORA-2025-1', 'x-1-1.fc40', { builds }))).toEqual(expected)
  })

  it.each<[what: string, parts: Record<string, unknown>, expected: string[]]>([
    ['nothing', {}, []],
    [
      'bugs',
      { bugs: [bug('CVE-2025-0002 a'), bug('cve-2025-0003 b'), bug('a-1.0 is available')] },
      ['upstream CVE-2025-0002', 'upstream CVE-2025-0003'],
    ],
    [
      'its title',
      { title: 'fix-CVE-2025-0004' },
      ['upstream CVE-2025-0004', 'notice Fedora CVE-2025-0004 ='],
    ],
    [
      'its name',
      { display_name: 'Fix CVE-2025-0005' },
      ['upstream CVE-2025-0005', 'notice Fedora CVE-2025-0005 ='],
    ],
    [
      'its notes alone',
      { notes: 'Fixes CVE-2025-0006 and CVE-2025-0007.' },
      ['upstream CVE-2025-0006', 'upstream CVE-2025-0007'],
    ],
    [
      'bugs, and others in its notes',
      { bugs: [bug('CVE-2025-0008 a')], notes: 'CVE-2025-0008; see CVE-2021-44228' },
      ['upstream CVE-2025-0008', 'related CVE-2021-44228', 'notice Fedora CVE-2025-0008 ='],
    ],
    [
      'numbers too short or run together',
      { notes: 'CVE-2025-1, CVE-2025-12345678901234567890, XCVE-2025-0009' },
      [],
    ],
  ])('names the CVEs of %s', (_, parts, expected) => {
    const [self, ...others] = saysOf(update('FEDORA-2025-1', 'a-1-1.fc40', parts)) ?? []
    expect(self).toBe('self FEDORA-2025-1 =')
    expect(others).toEqual(expected)
  })

  it.each([
    ['urgent', 'critical'],
    ['high', 'high'],
    ['medium', 'medium'],
    ['low', 'low'],
    ['unspecified', 'unknown'],
    [null, 'unknown'],
    ['constructor', 'unknown'],
  ])('of severity %s is %s', (severity, expected) => {
    expect(compiled(update('FEDORA-2025-1', 'a-1-1.fc40', { severity }))?.severity).toBe(expected)
  })

  it.each<[what: string, parts: Record<string, unknown>]>([
    [
      'EPEL',
      { alias: 'FEDORA-EPEL-2025-1', release: { name: 'EPEL-9', version: '9', id_prefix: 'FEDORA-EPEL' } },
    ],
    ['modules', { release: { name: 'F36M', version: '36', id_prefix: 'FEDORA-MODULAR' } }],
    ['containers', { release: { name: 'F36C', version: '36', id_prefix: 'FEDORA-CONTAINER' } }],
    ['ELN', { release: { name: 'ELN', version: 'eln', id_prefix: 'FEDORA' } }],
    ['no release', { release: null }],
    ['what is being tested', { status: 'testing' }],
    ['what was never pushed', { status: 'obsolete' }],
    ['bugs', { type: 'bugfix' }],
  ])('of %s is not one', (_, parts) => {
    expect(compiled(update('FEDORA-2025-1', 'a-1-1.fc40', parts))).toBeUndefined()
  })

  it.each<[what: string, parts: Record<string, unknown>, message: RegExp]>([
    ['no usable id', { alias: 'FEDORA-2025-<b>' }, /id is not usable/],
    ['no builds', { builds: [] }, /expected builds/],
    [
      'more builds than any',
      { builds: Array.from({ length: 3_001 }, () => ({ nvr: 'a-1-1' })) },
      /more than/,
    ],
  ])('with %s is refused', (_, parts, message) => {
    const read = () => compiled(update('FEDORA-2025-1', 'a-1-1.fc40', parts))
    expect(read).toThrow(RefusedData)
    expect(read).toThrow(message)
  })

  it('compiles to the same from what is stored of it', () => {
    const value = update('FEDORA-2025-1', 'a-1-1.fc40', {
      bugs: [bug('CVE-2025-0002 a')],
      notes: `CVE-2021-44228 ${'long '.repeat(2_000)}`,
    })
    const first = compiled(value)
    const again = compiled(JSON.parse(first?.document ?? ''))
    expect(again).toMatchObject({ document: first?.document, decidingHash: first?.decidingHash })
    expect(first?.document).not.toContain('comments')
    expect(first?.document.length).toBeLessThan(6_000)
  })
})

describe('a page of updates', () => {
  it('becomes a line for each update of Fedora', () => {
    const updates = [
      update('FEDORA-2025-1', 'a-1-1.fc40'),
      update('FEDORA-EPEL-2025-2', 'a-1-1.el9', { release: { name: 'EPEL-9', id_prefix: 'FEDORA-EPEL' } }),
      update('FEDORA-2025-3', 'b-1-1.fc41'),
    ]
    const lines = linesOf(readPage(JSON.parse(pageOf(updates)), 'page 1'), 'page 1')
      .trim()
      .split('\n')
    expect(lines.map((line) => (JSON.parse(line) as { alias: string }).alias)).toEqual([
      'FEDORA-2025-1',
      'FEDORA-2025-3',
    ])
  })

  it.each([
    '{}',
    '[]',
    'null',
    '{"updates":{}}',
    '{"updates":[],"rows_per_page":100}',
    '{"updates":[],"rows_per_page":100,"page":"1","pages":1,"total":0}',
  ])('is refused where it is %s', (text) => {
    expect(() => readPage(JSON.parse(text), 'page 1')).toThrow(RefusedData)
  })
})
