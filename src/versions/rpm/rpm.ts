import { compareDigits, compareText, isDigits } from '../compare.ts'
import { KeyWriter } from '../key.ts'
import type { OrderingRule } from '../ordering-rule.ts'

/** Segments are runs of digits, runs of letters, `~` and `^`. */
type RpmVersion = { epoch: string; version: readonly string[]; release: readonly string[] | undefined }

/**
 * RPM: epoch, then version, then release. A missing epoch is 0; a version without release is below the same
 * version with one. Text before a colon that is no number belongs to the version.
 */
export const rpm: OrderingRule<RpmVersion> = {
  rule: 'https://rpm-software-management.github.io/rpm/manual/dependencies.html#versioning and rpmvercmp',
  parse: parseRpmVersion,
  compare: (a, b) =>
    compareDigits(a.epoch, b.epoch) ||
    compareSegments(a.version, b.version) ||
    compareReleases(a.release, b.release),
  key: rpmKey,
}

function parseRpmVersion(text: string): RpmVersion | undefined {
  if (!/^[^\s\p{Cc}]+$/u.test(text)) return undefined
  const [prefix = '', epoch = '0'] = /^(\d+):/.exec(text) ?? []
  const rest = text.slice(prefix.length)
  const hyphen = rest.lastIndexOf('-')
  const version = hyphen < 0 ? rest : rest.slice(0, hyphen)
  if (version === '') return undefined
  return {
    epoch,
    version: segmentsOf(version),
    release: hyphen < 0 ? undefined : segmentsOf(rest.slice(hyphen + 1)),
  }
}

/** Every other character only separates. */
function segmentsOf(text: string): string[] {
  return text.match(/\d+|[A-Za-z]+|[~^]/g) ?? []
}

function compareReleases(a: readonly string[] | undefined, b: readonly string[] | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined)
  return compareSegments(a, b)
}

function compareSegments(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const order = compareSegment(a[index], b[index])
    if (order !== 0) return order
  }
  return 0
}

function compareSegment(a: string | undefined, b: string | undefined): number {
  const order = Math.sign(placeOf(a) - placeOf(b))
  if (order !== 0 || a === undefined || b === undefined) return order
  return isDigits(a) ? compareDigits(a, b) : compareText(a, b)
}

const tilde = 0x10
const end = 0x20
const caret = 0x28
const letters = 0x30
const number = 0x40

/** `~` sorts below the end, `^` just above it, letters below numbers. */
function placeOf(segment: string | undefined): number {
  if (segment === undefined) return end
  if (segment === '~') return tilde
  if (segment === '^') return caret
  return isDigits(segment) ? number : letters
}

const noRelease = 0x10
const releaseFollows = 0x20

function rpmKey(version: RpmVersion): Uint8Array {
  const key = new KeyWriter().number(version.epoch)
  writeSegments(key, version.version)
  if (version.release === undefined) return key.mark(noRelease).finish()
  key.mark(releaseFollows)
  writeSegments(key, version.release)
  return key.finish()
}

function writeSegments(key: KeyWriter, segments: readonly string[]): void {
  for (const segment of segments) {
    const place = placeOf(segment)
    if (place === number) key.number(segment)
    else if (place === letters) key.mark(letters).text(segment)
    else key.mark(place)
  }
  key.mark(end)
}
