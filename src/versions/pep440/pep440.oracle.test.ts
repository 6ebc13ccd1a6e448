import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { isInside } from '../range.ts'
import { orderingOf } from '../ordering.ts'

const isAbsent = spawnSync('python3', ['-c', 'import packaging.version']).status !== 0
const note = isAbsent ? ' (skipped: needs Python with its package packaging)' : ''

/** Each local version beside its public one, its neighbours, and spellings that are normalised. */
const versions = [
  ...['2.5.1', '2.5.1+cu118', '2.5.1+cu121', '2.5.1+1', '2.5.1+1.1', '2.5.1+1.a', '2.5.1+a.1', '2.5.1+cpu'],
  ...[
    '2.5.1+CU118',
    '2.5.1+cu-118',
    '2.5.1+cu_118',
    '2.5.1+cu.118',
    '2.5.1+0',
    '2.5.1+00',
    '2.5.1+10',
    '2.5.1+9',
  ],
  ...[
    '2.5',
    '2.5+cu118',
    '2.5.1.post1',
    '2.5.1.post1+cu118',
    '2.5.1.dev1',
    '2.5.1.dev1+g0',
    '2.5.1rc1',
    '2.5.1rc1+x',
  ],
  ...[
    '2.5.1a1.dev2+deadbeef',
    '2.5.2',
    '2.5.2+cu118',
    '1!2.5.1',
    '1!2.5.1+cu118',
    'v2.5.1+cu118',
    '2.5.1.0+cu118',
  ],
]

function askPython(script: string, input: unknown): unknown {
  const program = `import json, sys\nfrom packaging.version import Version\nfrom packaging.specifiers import SpecifierSet\n${script}`
  const result = spawnSync('python3', ['-c', program], { input: JSON.stringify(input), encoding: 'utf8' })
  expect(result.stderr).toBe('')
  return JSON.parse(result.stdout)
}

const orders = `
vs = json.load(sys.stdin)
print(json.dumps([[(Version(a) > Version(b)) - (Version(a) < Version(b)) for b in vs] for a in vs]))`

const containments = `
pairs = json.load(sys.stdin)
print(json.dumps([SpecifierSet(s).contains(v, prereleases=True) for v, s in pairs]))`

describe.skipIf(isAbsent)(`local versions of PEP 440${note}`, () => {
  it('are ordered as packaging orders them', () => {
    const { compare } = orderingOf('pep440')
    const theirs = askPython(orders, versions) as number[][]
    const wrong = versions.flatMap((a, row) =>
      versions.filter((b, column) => compare(a, b) !== theirs[row]?.[column]).map((b) => `${a} and ${b}`),
    )
    expect(wrong).toEqual([])
  })

  it('have keys in that order', () => {
    const { key } = orderingOf('pep440')
    const theirs = askPython(orders, versions) as number[][]
    const bytes = versions.map((version) => Buffer.from(key?.(version) ?? []))
    const wrong = versions.flatMap((a, row) =>
      versions
        .filter((_, column) => {
          const [one, other] = [bytes[row], bytes[column]]
          return (
            one === undefined || other === undefined || Buffer.compare(one, other) !== theirs[row]?.[column]
          )
        })
        .map((b) => `${a} and ${b}`),
    )
    expect(wrong).toEqual([])
  })

  it('are included by `<=` as packaging has it', () => {
    const bounds = versions.filter((version) => !version.includes('+'))
    const pairs = bounds.flatMap((bound) => versions.map((version) => [version, `<=${bound}`] as const))
    const theirs = askPython(containments, pairs) as boolean[]
    const wrong = pairs.filter(([version, specifier], at) => {
      const interval = { introduced: '0', upper: specifier.slice(2), upperIncluded: true }
      return isInside('pep440', version, interval) !== theirs[at]
    })
    expect(wrong).toEqual([])
  })
})
