import { hash } from 'node:crypto'
import { otherSpellings } from '../identities/registries/other-spellings.ts'
import type { GradeReason, RangeKind, RecordClass } from '../contract/findings/shapes.ts'
import type { Severity } from '../contract/severities.ts'
import type { AliasRelation } from '../contract/vulnerabilities/shapes.ts'

export type RecordSeverity = { severity: Severity; score: number | null; vector: string | null }

/** What a record says about another id. */
export type Assertion = {
  otherId: string
  relation: AliasRelation
  /** Whether the two ids name the same vulnerability, so that they fall into one group. */
  bridges: boolean
}

/** Why a version inside a range is only possibly affected; a reason of the grade. */
export type RangeDoubt = Extract<
  GradeReason,
  | 'any_version'
  | 'edition'
  | 'unordered_bound'
  | 'custom_range'
  | 'beyond_last_known'
  | 'order_unstated'
  | 'product_words'
  | 'between_tags'
  | 'product_of_repository'
  | 'kernel_part'
  | 'repository_unstated'
  | 'several_fixes'
  | 'private_registry'
>

/** The version itself as the upper key of a range whose scheme has no keys and whose end is not a fix: `upperText` names fixes. */
export function textKey(version: string): Uint8Array {
  return Buffer.from(version, 'utf8')
}

/** The version behind a `textKey`. */
export function textOfKey(key: Uint8Array): string {
  return Buffer.from(key).toString('utf8')
}

/** One row of `affected_range`. */
export type CompiledRange = {
  packageKey: string
  release: string
  stream: string
  scheme: string
  kind: RangeKind
  /** Empty: below everything. Null: the texts decide. */
  lowerKey: Uint8Array | null
  upperKey: Uint8Array | null
  upperIncluded: boolean
  introduced: string
  upperText: string | null
  /** null: a version inside is affected. */
  doubt: RangeDoubt | null
}

/** A package as ranges name it. */
export type RangePlace = Pick<CompiledRange, 'packageKey' | 'release' | 'stream' | 'scheme'>

export function placeOf({ packageKey, release, stream, scheme }: RangePlace): RangePlace {
  return { packageKey, release, stream, scheme }
}

/** One version; without a key it is found by its text. */
export function listedRange(place: RangePlace, text: string, key: Uint8Array | null): CompiledRange {
  const bounds = { lowerKey: key, upperKey: key, upperIncluded: true, introduced: text, upperText: text }
  return { ...placeOf(place), kind: 'listed', ...bounds, doubt: null }
}

/** A range under all the spellings of its package. */
export function withSpellings(range: CompiledRange): CompiledRange[] {
  return [range, ...otherSpellings(range.packageKey).map((packageKey) => ({ ...range, packageKey }))]
}

/** A package of a release of a distribution, by its key, and the key of the source that it was built from. */
export type BinarySource = readonly [packageKey: string, release: string, sourceKey: string]

/** A release of a distribution that some record speaks of. */
export type KnownRelease = readonly [ecosystem: string, release: string]

export type CompiledRanges = {
  ranges: CompiledRange[]
  /** Packages built from the affected ones, as the record names them, possibly twice; absent where its source never does. */
  binaries?: BinarySource[]
  /** Range bounds that no order knows; their intervals are in doubt. */
  unorderedBounds: number
}

/** A record as it is stored, whatever source it is of. */
export type CompiledRecord = RecordSeverity & {
  id: string
  /** The id of its source; null: an OSV record, which belongs to the source of its ecosystem. */
  source: string | null
  class: RecordClass
  summary: string
  modifiedAt: Date
  publishedAt: Date | null
  withdrawnAt: Date | null
  /** The record as the source wrote it. */
  document: string
  /** Ecosystems of its packages, without release suffix. */
  ecosystems: string[]
  /** Changes exactly when matches or groups may change. */
  decidingHash: string
  /** Changes with any character of the document. */
  documentHash: string
  /** Digests of malicious packages, as `sha512:…`; absent where its source never states any. */
  digests?: string[]
  assertions: Assertion[]
  /** Compiles the affected ranges; costly, and needed only when the deciding parts changed. */
  ranges: () => CompiledRanges
}

/** For a record that only comments on a CVE, or is withdrawn. */
export function noRanges(): { ranges: never[]; unorderedBounds: number } {
  return { ranges: [], unorderedBounds: 0 }
}

/** A record hash: half a SHA-256 is enough to tell two versions of a record apart. */
export function hashOf(text: string): string {
  return hash('sha256', text).slice(0, 32)
}
