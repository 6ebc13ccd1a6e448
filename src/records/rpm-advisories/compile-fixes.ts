import { affectedPackage, type AffectedPackage } from '../../identities/affected-package.ts'
import { versionKey } from '../../versions/ordering.ts'
import type { CompiledRange, CompiledRanges, RangeDoubt } from '../compiled-record.ts'
import type { RpmAdvisory, RpmFix } from './advisory.ts'

type Bound = { text: string; key: Uint8Array }

/** Everything a notice says about one package in one line of builds. */
type Line = {
  subject: AffectedPackage
  from: Bound | null
  doubt: RangeDoubt | null
  fixes: Bound[]
  /** Fixes that no order knows. */
  unordered: string[]
}

const lowest: Bound = { text: '0', key: new Uint8Array(0) }

/**
 * The affected versions of a notice as intervals under package keys. Where it names several fixes of one package (builds for architectures, or
 * made again), a version below all of them is affected; one between them only possibly.
 */
export function compileFixes({ platforms, title }: RpmAdvisory): CompiledRanges {
  const lines = new Map<string, Line>()
  for (const { ecosystem, fixes } of platforms)
    for (const fix of fixes) addFix(lines, fix, subjectOf(ecosystem, title, fix))
  const all = [...lines.values()]
  return {
    ranges: all.flatMap(rangesOf),
    unorderedBounds: all.reduce((sum, { unordered }) => sum + unordered.length, 0),
  }
}

function subjectOf(ecosystem: string, title: string, { name, fixed, module }: RpmFix) {
  const subject = affectedPackage(ecosystem, name, { fixed, title })
  return subject === undefined || module === undefined ? subject : { ...subject, stream: module }
}

function addFix(lines: Map<string, Line>, fix: RpmFix, subject: AffectedPackage | undefined): void {
  if (subject === undefined) return
  const { packageKey, release, stream } = subject
  const from = fix.from === undefined ? null : boundOf(fix.from)
  const doubt = fix.isOfRepository === true ? 'repository_unstated' : null
  const key = [packageKey, release, stream, from?.text ?? '', doubt ?? ''].join('\n')
  let line = lines.get(key)
  if (line === undefined) lines.set(key, (line = { subject, from, doubt, fixes: [], unordered: [] }))
  const bound = boundOf(fix.fixed)
  if (bound === null) line.unordered.push(fix.fixed)
  else line.fixes.push(bound)
}

function boundOf(text: string): Bound | null {
  const key = versionKey('rpm', text)
  return key === null ? null : { text, key }
}

function rangesOf({ subject, from, doubt, fixes, unordered }: Line): CompiledRange[] {
  const sorted = fixes.sort((a, b) => Buffer.compare(a.key, b.key))
  const [first, last] = [sorted[0], sorted.at(-1)]
  const lower = from ?? lowest
  const ranges: CompiledRange[] = []
  if (first !== undefined) ranges.push(rangeOf(subject, { lower, upper: first, doubt }))
  if (first !== undefined && last !== undefined && Buffer.compare(first.key, last.key) < 0)
    ranges.push(rangeOf(subject, { lower: first, upper: last, doubt: 'several_fixes' }))
  const [text] = unordered
  if (text !== undefined)
    ranges.push(rangeOf(subject, { lower, upper: { text, key: null }, doubt: 'unordered_bound' }))
  return ranges
}

type Interval = {
  lower: Bound
  upper: { text: string; key: Uint8Array | null }
  doubt: RangeDoubt | null
}

function rangeOf(
  { packageKey, release, stream, scheme }: AffectedPackage,
  { lower, upper, doubt }: Interval,
): CompiledRange {
  return {
    packageKey,
    release,
    stream,
    scheme,
    kind: 'range',
    lowerKey: lower.key,
    upperKey: upper.key,
    upperIncluded: false,
    introduced: lower.text,
    upperText: upper.text,
    doubt,
  }
}
