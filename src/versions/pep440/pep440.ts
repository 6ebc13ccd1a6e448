import { compareDigits, compareLists, compareText, isDigits, withoutTrailingZeros } from '../compare.ts'
import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'
import { compareLegacy, type LegacyVersion, parseLegacy } from './legacy.ts'

type PublicVersion = {
  kind: 'pep440'
  epoch: string
  /** Zeros at the end are left out. */
  release: readonly string[]
  phase: Phase
  /** Number of the prerelease; '0' for the other phases. */
  pre: string
  post: string | undefined
  dev: string | undefined
  local: readonly string[] | undefined
}

type PythonVersion = PublicVersion | LegacyVersion

/** A development release of the release itself, `a`, `b`, `rc`, and last the final release with its post-releases. */
type Phase = 0x11 | 0x12 | 0x13 | 0x14 | 0x15
const devOfRelease = 0x11
const finalRelease = 0x15
const prereleases = new Map<string, Phase>([
  ['a', 0x12],
  ['alpha', 0x12],
  ['b', 0x13],
  ['beta', 0x13],
  ['c', 0x14],
  ['rc', 0x14],
  ['pre', 0x14],
  ['preview', 0x14],
])

const grammar = new RegExp(
  [
    String.raw`^v?(?:(?<epoch>\d+)!)?(?<release>\d+(?:\.\d+)*)`,
    String.raw`(?:[-_.]?(?<pre>alpha|a|beta|b|preview|pre|c|rc)[-_.]?(?<preNumber>\d*))?`,
    String.raw`(?<post>-(?<postImplied>\d+)|[-_.]?(?:post|rev|r)[-_.]?(?<postNumber>\d*))?`,
    String.raw`(?<dev>[-_.]?dev[-_.]?(?<devNumber>\d*))?`,
    String.raw`(?:\+(?<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?$`,
  ].join(''),
)

/**
 * Python packages. What PEP 440 does not admit but the index once accepted orders below every PEP 440 version, as
 * setuptools and packaging did before version 22.
 */
export const pep440: OrderingRule<PythonVersion> = {
  rule: 'https://packaging.python.org/en/latest/specifications/version-specifiers/ (PEP 440)',
  parse: (version) => parsePublic(version.toLowerCase()) ?? parseLegacy(version),
  compare: (a, b) => {
    if (a.kind === 'pep440' && b.kind === 'pep440') return comparePublic(a, b)
    if (a.kind === 'legacy' && b.kind === 'legacy') return compareLegacy(a, b)
    return a.kind === 'legacy' ? -1 : 1
  },
  key: pep440Key,
}

function parsePublic(version: string): PublicVersion | undefined {
  const groups = grammar.exec(version)?.groups as Record<string, string | undefined> | undefined
  if (groups?.['release'] === undefined) return undefined
  const dev = groups['dev'] === undefined ? undefined : (groups['devNumber'] ?? '')
  const post =
    groups['post'] === undefined ? undefined : (groups['postImplied'] ?? groups['postNumber'] ?? '')
  return {
    kind: 'pep440',
    epoch: groups['epoch'] ?? '0',
    release: withoutTrailingZeros(groups['release'].split('.')),
    phase: phaseOf(groups['pre'], post, dev),
    pre: groups['preNumber'] ?? '0',
    post,
    dev,
    local: groups['local']?.split(/[-_.]/),
  }
}

/** `1.0.dev1` is below `1.0a1`, `1.0a1.dev1` is not, and `1.0.post1.dev1` is above `1.0`. */
function phaseOf(pre: string | undefined, post: string | undefined, dev: string | undefined): Phase {
  const prerelease = prereleases.get(pre ?? '')
  if (prerelease !== undefined) return prerelease
  return dev !== undefined && post === undefined ? devOfRelease : finalRelease
}

function comparePublic(a: PublicVersion, b: PublicVersion): number {
  return (
    compareDigits(a.epoch, b.epoch) ||
    compareLists(a.release, b.release, compareDigits) ||
    Math.sign(a.phase - b.phase) ||
    compareDigits(a.pre, b.pre) ||
    compareOptional(a.post, b.post, compareDigits, -1) ||
    compareOptional(a.dev, b.dev, compareDigits, 1) ||
    compareOptional(a.local, b.local, compareLocals, -1)
  )
}

/** `absent` says where a version without the part is: -1 below those with it, 1 above. */
function compareOptional<Part>(
  a: Part | undefined,
  b: Part | undefined,
  compareParts: (a: Part, b: Part) => number,
  absent: -1 | 1,
): number {
  if (a !== undefined && b !== undefined) return compareParts(a, b)
  if (a === b) return 0
  return a === undefined ? absent : -absent
}

/** Local version labels: numbers above text. */
function compareLocals(a: readonly string[], b: readonly string[]): number {
  return compareLists(a, b, (left, right) => {
    const isNumberLeft = isDigits(left)
    if (isNumberLeft !== isDigits(right)) return isNumberLeft ? 1 : -1
    return isNumberLeft ? compareDigits(left, right) : compareText(left, right)
  })
}

/** Marks of the key: kinds of version, then what may follow at each place, in order. */
const legacy = 0x10
const current = 0x20
const endOfList = 0x08
export const absentLow = 0x11
const present = 0x12
export const absentHigh = 0x13
const localText = 0x30

function pep440Key(version: PythonVersion): Uint8Array {
  const key = new KeyWriter()
  if (version.kind === 'legacy') {
    key.mark(legacy)
    for (const part of version.parts) key.text(part)
    return key.finish()
  }
  key.mark(current).number(version.epoch)
  for (const number of version.release) key.number(number)
  key.mark(endOfList).mark(version.phase).number(version.pre)
  if (version.post === undefined) key.mark(absentLow)
  else key.mark(present).number(version.post)
  if (version.dev === undefined) key.mark(absentHigh)
  else key.mark(present).number(version.dev)
  writeLocal(key, version.local)
  return key.finish()
}

function writeLocal(key: KeyWriter, local: readonly string[] | undefined): void {
  if (local === undefined) {
    key.mark(absentLow)
    return
  }
  key.mark(present)
  for (const segment of local) {
    if (isDigits(segment)) key.number(segment)
    else key.mark(localText).text(segment)
  }
  key.mark(endOfList)
}
