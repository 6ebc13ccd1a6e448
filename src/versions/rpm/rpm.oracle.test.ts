import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { orderingOf, versionKey } from '../ordering.ts'
import { isInside } from '../range.ts'

const isAbsent = spawnSync('rpm', ['--version']).status !== 0
const note = isAbsent ? ' (skipped: needs rpm)' : ''

/** Of packages of Red Hat, Fedora, Amazon, Oracle, AlmaLinux and SUSE. */
const real = [
  ...['1:3.0.7-24.el9', '3.0.7-24.el9', '1:3.0.7-18.el9_2', '1:3.0.7-18.el9_2.1', '0:4.18.6-1.el9'],
  ...[
    '1.1.1k-7.el8_6',
    '1:1.1.1k-12.el8_9',
    '4.18.0-372.9.1.el8',
    '4.18.0-372.32.1.el8_6',
    '2:8.2.2637-20.el9_1',
  ],
  ...[
    '16.18.1-3.module+el8.7.0+17465+1a1abd74',
    '1:16.19.1-1.module+el8.7.0+18373+704f5cef',
    '6.8.9-300.fc40',
  ],
  ...[
    '2.39.3-1.fc38',
    '0^20240101git1234567-1.fc40',
    '1.0~rc1-1.fc40',
    '1.0~rc1^20240101gitabc-1.fc40',
    '9.0.1592-1.amzn2.0.1',
  ],
  ...[
    '1:1.0.2k-24.amzn2.0.7',
    '5.10.225-213.878.amzn2',
    '32:9.16.23-24.0.1.el9_5',
    '10:1.4-14.ksplice1.el8',
    '3.1.4-150600.5.24.1',
  ],
  ...['1.1.1l-150500.17.37.1', '2.26-13.65.1', '20240321-bp156.1.1', '4.13.0~rc4-1.mga9'],
]

/** Parts that the rule tells apart, joined in every way. */
const parts = [
  '0',
  '1',
  '10',
  '01',
  '9'.repeat(30),
  'a',
  'Z',
  'el9',
  '~',
  '^',
  '~~',
  '^^',
  '.',
  '_',
  '+',
  '~rc1',
  '^git1',
  'é',
]
const made = parts.flatMap((one) =>
  parts.flatMap((other, at) => {
    const ends = ['', '-1', '-0', '-~1', '-1.el9', '-']
    const epochs = ['', '0:', '1:', '01:', '(none):']
    return `${epochs[at % epochs.length] ?? ''}1${one}${other}${ends[(at + one.length) % ends.length] ?? ''}`
  }),
)

/** rpm reads the pairs as lines, two a pair: one process for all. */
function askRpm(pairs: readonly (readonly [string, string])[]): number[] {
  const script = '%{lua:for a in io.lines() do print(rpm.vercmp(a, io.read()) .. " ") end}'
  const input = pairs.map(([a, b]) => `${a}\n${b}\n`).join('')
  const { stdout, stderr } = spawnSync('rpm', ['--eval', script], { input, encoding: 'utf8' })
  expect(stderr).toBe('')
  return stdout.trim().split(/\s+/).map(Number)
}

const neighbours = (versions: readonly string[]) =>
  [1, 31].flatMap((step) =>
    versions.map((version, at) => [version, versions[(at * step + 1) % versions.length] ?? ''] as const),
  )
const pairs = [...real.flatMap((a) => real.map((b) => [a, b] as const)), ...neighbours(made)]

describe.skipIf(isAbsent)(`rpm${note}`, () => {
  it('orders versions, and their keys, as the real tool does', () => {
    const { compare } = orderingOf('rpm')
    const keyOf = (version: string) => Buffer.from(versionKey('rpm', version) ?? [])
    const theirs = askRpm(pairs)
    expect(theirs.length).toBe(pairs.length)
    const wrong = pairs.filter(
      ([a, b], at) => compare(a, b) !== theirs[at] || Buffer.compare(keyOf(a), keyOf(b)) !== theirs[at],
    )
    expect(wrong).toEqual([])
  })

  it('decides ranges as the real tool does', () => {
    const cells = real.flatMap((version) => real.map((upper) => [version, upper] as const))
    const theirs = askRpm(cells)
    const wrong = [true, false].flatMap((upperIncluded) =>
      cells.filter(([version, upper], at) => {
        const isAffected = (theirs[at] ?? 1) < Number(upperIncluded)
        return isInside('rpm', version, { introduced: '0', upper, upperIncluded }) !== isAffected
      }),
    )
    expect(wrong).toEqual([])
  })
})
