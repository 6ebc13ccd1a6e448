import {
  compareDigits,
  compareText,
  isDigits,
  withoutLeadingZeros,
  withoutTrailingZeros,
} from '../compare.ts'
import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'

/** Numbers and words; zeros are dropped before the first word and at the end. */
type Segments = readonly string[]

/** `Gem::Version` with any letters after the first number, as old gems have them. */
const grammar = /^\d[0-9A-Za-z]*(?:\.[0-9A-Za-z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/

/** First words of `Gem::Platform` names: processor, or operating system where no processor is named. */
const platform = new RegExp(
  '^(?:x86|x86_64|x64|i[3-6]86|universal|arm|arm64|armv[0-9a-z]+|aarch64|ppc|ppc64|ppc64le|powerpc|powerpc64|' +
    's390|s390x|sparc|sparc64|mips|mipsel|mips64|riscv64|loongarch64|ruby|java|jruby|dalvik|dotnet|macruby|' +
    'linux|darwin\\d*|macos|mingw\\d*|mswin\\d*|cygwin|freebsd\\d*|openbsd\\d*|netbsd\\d*|solaris\\d*|aix\\d*|wasm32)$',
)

/**
 * RubyGems. Words sort below numbers, so a version with a word is a prerelease; missing segments count 0. A
 * platform (`1.2.3-x86_64-linux`) is no part of the version.
 */
export const rubygems: OrderingRule<Segments> = {
  rule: 'https://docs.ruby-lang.org/en/master/Gem/Version.html',
  parse: (version) => {
    const withoutPlatform = dropPlatform(version)
    return grammar.test(withoutPlatform) ? segmentsOf(withoutPlatform) : undefined
  },
  compare: compareSegments,
  key: rubygemsKey,
}

function dropPlatform(version: string): string {
  const words = version.split('-')
  const first = words.findIndex((word, index) => index > 0 && platform.test(word))
  return first < 0 ? version : words.slice(0, first).join('-')
}

/** `Gem::Version` reads a hyphen as `.pre.`. */
function segmentsOf(version: string): Segments {
  const segments = version.replaceAll('-', '.pre.').match(/\d+|[A-Za-z]+/g) ?? []
  const firstWord = segments.findIndex((segment) => !isDigits(segment))
  if (firstWord < 0) return withoutTrailingZeros(segments)
  return [
    ...withoutTrailingZeros(segments.slice(0, firstWord)),
    ...withoutTrailingZeros(segments.slice(firstWord)),
  ]
}

function compareSegments(a: Segments, b: Segments): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const order = compareSegment(a[index] ?? '0', b[index] ?? '0')
    if (order !== 0) return order
  }
  return 0
}

function compareSegment(a: string, b: string): number {
  const isNumberA = isDigits(a)
  if (isNumberA !== isDigits(b)) return isNumberA ? 1 : -1
  return isNumberA ? compareDigits(a, b) : compareText(a, b)
}

/**
 * Marks of the key. The end of the list stands for zeros without end, so a run of zeros is written with what
 * follows it: before a word the longer run is higher, before a number the longer run is lower.
 */
const word = 0x10
const zerosThenWord = 0x20
const end = 0x30
const zerosThenNumber = 0x38

function rubygemsKey(segments: Segments): Uint8Array {
  const key = new KeyWriter()
  let zeros = 0
  for (const segment of segments) {
    if (withoutLeadingZeros(segment) === '') {
      zeros += 1
      continue
    }
    writeSegment(key, segment, zeros)
    zeros = 0
  }
  return key.mark(end).finish()
}

function writeSegment(key: KeyWriter, segment: string, zeros: number): void {
  if (isDigits(segment)) {
    if (zeros > 0) writeCount(key.mark(zerosThenNumber), 0xffff - zeros)
    key.number(segment)
    return
  }
  if (zeros > 0) writeCount(key.mark(zerosThenWord), zeros)
  else key.mark(word)
  key.text(segment)
}

function writeCount(key: KeyWriter, count: number): void {
  key.mark(count >> 8).mark(count & 0xff)
}
