import { compareLists, compareText } from '../compare.ts'

/** A version string from before PEP 440. */
export type LegacyVersion = {
  kind: 'legacy'
  /** Comparable texts: numbers padded to eight digits, words behind a `*`. */
  parts: readonly string[]
}

/** What a file name on the index could contain as a version; operators, brackets and spaces cannot be part of one. */
const acceptable = /^[0-9A-Za-z._!+~:-]+$/

const replacements = new Map([
  ['pre', 'c'],
  ['preview', 'c'],
  ['-', 'final-'],
  ['rc', 'c'],
  ['dev', '@'],
])

const zero = '00000000'

/** The order of setuptools before PEP 440 (`pkg_resources.parse_version`, later packaging's `LegacyVersion`). */
export function parseLegacy(version: string): LegacyVersion | undefined {
  if (!acceptable.test(version) || !/[0-9A-Za-z]/.test(version)) return undefined
  const parts: string[] = []
  for (const part of [...comparableParts(version.toLowerCase()), '*final']) {
    if (part.startsWith('*')) {
      // A dash before a prerelease word means nothing, and neither do zeros at the end of a run of numbers.
      if (part < '*final') dropFromEnd(parts, '*final-')
      dropFromEnd(parts, zero)
    }
    parts.push(part)
  }
  return { kind: 'legacy', parts }
}

function* comparableParts(version: string): Generator<string> {
  for (const token of version.match(/\d+|[a-z]+|[.]|-|[^\d.a-z-]+/g) ?? []) {
    if (token === '.') continue
    if (/^\d/.test(token)) yield token.padStart(zero.length, '0')
    else yield `*${replacements.get(token) ?? token}`
  }
}

function dropFromEnd(parts: string[], unwanted: string): void {
  while (parts.at(-1) === unwanted) parts.pop()
}

export function compareLegacy(a: LegacyVersion, b: LegacyVersion): number {
  return compareLists(a.parts, b.parts, compareText)
}
