import { affectedPackage } from '../../identities/affected-package.ts'
import { kernelRepository, repositoryName } from '../../identities/repositories/repository.ts'
import { versionOfTag } from '../../versions/tag-version.ts'
import { listedRange, placeOf, type CompiledRange, type RangePlace } from '../compiled-record.ts'
import { keyOf } from './intervals.ts'
import type { OsvAffected } from './read-record.ts'

/** A tag whose version can be ordered. */
type Tag = { text: string; version: string; key: Uint8Array }

/**
 * The rows of a repository. The record's author walked the commits and listed every tag that contains the vulnerability, so a listed tag decides;
 * anything between listed tags of one line of releases, such as an untagged snapshot, is possibly affected. Of commits only the named ones are known. A
 * tag that names no version of the repository is matched by its text.
 */
export function compileRepository({ ecosystem, name, versions, commits = [] }: OsvAffected): CompiledRange[] {
  const subject = affectedPackage(ecosystem, name)
  if (subject === undefined) return []
  const repository = repositoryName(name)
  const doubt = repository === kernelRepository ? 'kernel_part' : null
  const tags = new Map<string, Tag>()
  const rows: CompiledRange[] = []
  for (const text of new Set(versions)) {
    const version = versionOfTag(text, repository)
    const key = keyOf(subject.scheme, version)
    if (key === null) rows.push({ ...listedRange(subject, text, null), doubt })
    else tags.set(Buffer.from(key).toString('hex'), { text, version, key })
  }
  for (const { text, key } of tags.values()) rows.push({ ...listedRange(subject, text, key), doubt })
  for (const commit of commits) rows.push({ ...listedRange(subject, commit.toLowerCase(), null), doubt })
  const sorted = [...tags.values()].sort((a, b) => Buffer.compare(a.key, b.key))
  for (const gap of gapsBetween(sorted, (version) => keyOf(subject.scheme, version)))
    rows.push({ ...placeOf(subject), ...gap, doubt: doubt ?? 'between_tags' })
  return rows
}

type Row = Omit<CompiledRange, keyof RangePlace | 'doubt'>

/**
 * What lies between listed tags. In one line of releases (1.2.9, 1.2.11) all that does; between two lines (1.0.2, 1.2.0) the lines between them, because the
 * rest of the first line may be where the vulnerability was fixed.
 */
function gapsBetween(tags: readonly Tag[], keyOfVersion: (version: string) => Uint8Array | null): Row[] {
  const gaps: Row[] = []
  let first: Tag | undefined
  for (const [index, tag] of tags.entries()) {
    first ??= tag
    const next = tags[index + 1]
    if (next !== undefined && isOneLine(tag.version, next.version)) continue
    if (first !== tag) gaps.push(gap(first.text, first.key, tag.key))
    first = undefined
    const after = next === undefined ? null : lineAfter(tag.version, next.version)
    const key = after === null ? null : keyOfVersion(after)
    if (after !== null && key !== null && next !== undefined && Buffer.compare(key, next.key) < 0)
      gaps.push(gap(after, key, next.key))
  }
  return gaps
}

/** The last version is listed itself. It is not a fix, so it has only a key. */
function gap(introduced: string, lowerKey: Uint8Array, upperKey: Uint8Array): Row {
  return { kind: 'range', lowerKey, upperKey, upperIncluded: false, introduced, upperText: null }
}

/** The numbers at the beginning of a version, of its release. */
function numbersOf(version: string): string[] {
  return /^v?(\d+(?:[._-]\d+)*)/.exec(version)?.[1]?.split(/[._-]/) ?? []
}

/** 1.2.9 and 1.2.11 are, 1.2.11 and 1.2.11.1; so are two versions of one number, if they count alike (no date after a number). */
function isOneLine(one: string, other: string): boolean {
  const [a, b] = [numbersOf(one), numbersOf(other)]
  const shorter = Math.min(a.length, b.length)
  if (a.length !== b.length && sharesNumbers(a, b, shorter)) return true
  const isLine = shorter >= 3 || a.length === b.length
  return isLine && sharesNumbers(a, b, shorter - 1) && countAlike(a[shorter - 1], b[shorter - 1])
}

function sharesNumbers(a: readonly string[], b: readonly string[], count: number): boolean {
  return a.slice(0, count).join('.') === b.slice(0, count).join('.')
}

function countAlike(one = '', other = ''): boolean {
  return Math.abs(one.length - other.length) <= 1
}

/** The first version of the line after that of `one`, where `other` is of the same or the next major release; null where there is none. */
function lineAfter(one: string, other: string): string | null {
  const line = numbersOf(one).slice(0, -1)
  const last = line.at(-1)
  const [major = '0'] = numbersOf(other)
  const isNear = BigInt(major) - BigInt(line[0] ?? '0') <= 1n
  return last === undefined || !isNear ? null : [...line.slice(0, -1), String(BigInt(last) + 1n)].join('.')
}
