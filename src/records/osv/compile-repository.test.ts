import { describe, expect, it } from 'vitest'
import { versionKey } from '../../versions/ordering.ts'
import { compileRanges } from './compile-ranges.ts'
import { compileRecord } from './compile-record.ts'
import { readRecord } from './read-record.ts'

const commit = 'a1b2c3d4e5f60718293a4b5c6d7e8f9001122334'

const range = (repo: string, ...events: Record<string, string>[]) => ({ type: 'GIT', repo, events })

function compiled(affected: unknown[], id = 'CVE-2025-1') {
  const record = { id, modified: '2025-06-01T00:00:00Z', affected }
  return compileRanges(readRecord(record, 'test')).ranges
}

/** `ecosystem, package, kind, tag or first version`, and the doubt where there is one. */
function shown(affected: unknown[]): string[] {
  return compiled(affected).map(({ packageKey, kind, introduced, doubt }) => {
    const [ecosystem = '', name = ''] = packageKey.split('\u001f')
    return `${ecosystem} ${name} ${kind} ${introduced}${doubt === null ? '' : ` ${doubt}`}`
  })
}

const tagged = (...versions: string[]) => [
  { ranges: [range('https://github.com/curl/curl.git', { introduced: '0' })], versions },
]

/** Which of these versions lie between listed tags. */
function between(versions: string[], listed: string[]): string[] {
  const gaps = compiled(tagged(...listed)).filter(({ kind }) => kind === 'range')
  return versions.filter((version) => {
    const key = versionKey('generic', version)
    return gaps.some(
      ({ lowerKey, upperKey }) =>
        key !== null &&
        lowerKey !== null &&
        upperKey !== null &&
        Buffer.compare(lowerKey, key) <= 0 &&
        Buffer.compare(key, upperKey) < 0,
    )
  })
}

describe('records on repositories', () => {
  it('are the tags that they list, each version once, and the affected commits that they name', () => {
    const repository = range(
      'https://github.com/Curl/curl.git',
      { introduced: commit },
      { fixed: 'f'.repeat(40) },
      { introduced: '0' },
    )
    expect(shown([{ ranges: [repository], versions: ['curl-8_5_0', 'v8.5.0', 'docs-8'] }])).toEqual([
      'GIT github.com/curl/curl listed docs-8',
      'GIT github.com/curl/curl listed v8.5.0',
      `GIT github.com/curl/curl listed ${commit}`,
    ])
  })

  it('of OSS-Fuzz are filed under the repository, in a file of their own', () => {
    const affected = [
      {
        package: { name: 'libpng', ecosystem: 'OSS-Fuzz', purl: 'pkg:generic/libpng' },
        ranges: [range('https://github.com/glennrp/libpng.git', { introduced: commit })],
        versions: ['v1.6.37'],
        ecosystem_specific: { severity: 'HIGH' },
      },
    ]
    expect(shown(affected)).toEqual([
      'GIT github.com/glennrp/libpng listed v1.6.37',
      `GIT github.com/glennrp/libpng listed ${commit}`,
    ])
    const value = { id: 'OSV-2025-1', modified: '2025-06-01T00:00:00Z', affected }
    const { ecosystems, severity } = compileRecord(value, JSON.stringify(value), 'test')
    expect({ ecosystems, severity }).toEqual({ ecosystems: ['OSS-Fuzz'], severity: 'high' })
  })

  it('name several repositories, and none without an address', () => {
    const affected = [
      {
        ranges: [
          range('https://github.com/a/one', { introduced: '0' }),
          range('git://git.savannah.gnu.org/two.git', { introduced: '0' }),
          range('somewhere', { introduced: '0' }),
          { type: 'GIT', events: [{ introduced: '0' }] },
        ],
        versions: ['1.0'],
      },
    ]
    expect(shown(affected)).toEqual([
      'GIT github.com/a/one listed 1.0',
      'GIT git.savannah.gnu.org/two listed 1.0',
    ])
  })

  it('say nothing certain of the kernel', () => {
    const repository = 'https://git.kernel.org/pub/scm/linux/kernel/git/stable/linux.git'
    expect(shown([{ ranges: [range(repository, { introduced: '0' })], versions: ['v6.1'] }])).toEqual([
      'GIT github.com/torvalds/linux listed v6.1 kernel_part',
    ])
    const kernel = {
      package: { ecosystem: 'Linux', name: 'Kernel' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '5.10.0' }, { fixed: '6.1.5' }] }],
    }
    expect(shown([kernel])).toEqual(['Linux Kernel range 5.10.0 kernel_part'])
  })

  it('without tags are possible in the versions that they were made from, or that follow the first commit', () => {
    const made = (specific: object, ...events: Record<string, string>[]) => [
      { ranges: [{ ...range('https://github.com/curl/curl', ...events), database_specific: specific }] },
    ]
    const commits = [{ introduced: commit }, { fixed: 'f'.repeat(40) }]
    const own = `GIT github.com/curl/curl listed ${commit}`
    const ended = (affected: unknown[]) =>
      compiled(affected)
        .filter(({ kind }) => kind === 'range')
        .map(({ introduced, upperText, upperIncluded, doubt }) => [
          introduced,
          upperText,
          upperIncluded,
          doubt,
        ])
    const versions = [{ introduced: '0' }, { last_affected: 'curl-8_5_0' }]
    expect(shown(made({ versions }, ...commits))).toEqual([
      own,
      'GIT github.com/curl/curl range 0 product_of_repository',
    ])
    expect(ended(made({ versions }, ...commits))).toEqual([['0', '8.5.0', true, 'product_of_repository']])
    expect(ended(made({ extracted_events: [{ introduced: '8.0' }, { fixed: '8.6' }] }, ...commits))).toEqual([
      ['8.0', '8.6', false, 'product_of_repository'],
    ])
    expect(ended(made({}, { introduced: '0' }))).toEqual([['0', null, false, 'any_version']])
    expect(ended(made({}, { introduced: '0' }, { fixed: commit }))).toEqual([
      ['0', null, false, 'any_version'],
    ])
    expect(ended(made({}, ...commits))).toEqual([])
    const [affected] = made({ versions }, ...commits)
    expect(shown([{ ...affected, versions: ['curl-8_4_0'] }])).toEqual([
      'GIT github.com/curl/curl listed curl-8_4_0',
      own,
    ])
  })

  it('of Android are their lists alone', () => {
    const affected = {
      package: { ecosystem: 'Android', name: 'platform/frameworks/base' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '13:0' }, { fixed: '13:2023-06-01' }] }],
      versions: ['13'],
    }
    expect(shown([affected])).toEqual(['Android platform/frameworks/base listed 13 kernel_part'])
  })

  it('beside a package of a registry add nothing to it', () => {
    const affected = {
      package: { ecosystem: 'PyPI', name: 'curl' },
      ranges: [range('https://github.com/curl/curl', { introduced: '0' })],
      versions: ['1.0'],
    }
    expect(shown([affected])).toEqual(['PyPI curl listed 1.0'])
  })

  it('with thousands of commits and repositories are bounded', () => {
    const ranges = Array.from({ length: 300 }, (_, index) =>
      range(`https://github.com/a/r${index}`, { introduced: commit }),
    )
    expect(compiled([{ ranges, versions: [] }]).length).toBe(100)
    const events = Array.from({ length: 5_000 }, (_, index) => ({
      introduced: index.toString(16).padStart(40, 'a'),
    }))
    expect(compiled([{ ranges: [range('https://github.com/a/b', ...events)] }]).length).toBe(500)
  })
})

/** Listed tags, what lies between them, what does not. */
const gaps: [listed: string[], inside: string[], outside: string[]][] = [
  [
    ['1.2.9', '1.2.11', '1.2.13'],
    ['1.2.10', '1.2.11.1', '1.2.12', '1.2.13-rc1'],
    ['1.2.8', '1.2.13.1', '1.2.14'],
  ],
  [['curl-8_4_0', 'curl-8_5_0'], [], ['8.4.1', '8.5.1', '8.6.0', '8.3.0']],
  [['1.0.2s', '1.0.2t', '1.1.0'], [], ['1.0.2u', '1.1.1', '1.0.3']],
  [
    ['1.0.0', '1.3.0'],
    ['1.1.0', '1.2.9'],
    ['1.0.1', '1.3.1'],
  ],
  [['1.9.0', '2.0.0'], [], ['1.9.1', '2.0.1']],
  [['1.2.3', '20200101'], [], ['1.3.0', '2.0', '2019']],
  [
    ['240', '245'],
    ['241', '244.3'],
    ['246', '239'],
  ],
  [['1.2.11', '1.2.11.1'], ['1.2.11a'], ['1.2.12']],
  [['8.5.0'], [], ['8.4.9', '8.5.1']],
]

describe('between listed tags', () => {
  it.each(gaps)('%s', (listed, inside, outside) => {
    expect(between([...inside, ...outside], listed)).toEqual(inside)
  })
})
