import type {
  BinarySource,
  CompiledRanges,
  CompiledRecord,
  KnownRelease,
} from '../../records/compiled-record.ts'
import { assertionRows, rangeRows, recordHead } from './record-rows.ts'

/** The affected ranges of a record as they are written. */
export type RangeRows = {
  rows: Buffer
  /** Distinct. */
  packageKeys: string[]
  binaries: BinarySource[]
  /** Those of distributions that they speak of, distinct. */
  releases: KnownRelease[]
  unorderedBounds: number
}

/** A record as an import takes it over: what decides its group, and its rows. */
export type PreparedRecord = Omit<CompiledRecord, 'assertions' | 'ranges' | 'document'> & {
  /** The ids by which it falls into a group, its own first. */
  ownIds: string[]
  /** The CVEs that it is about, but does not equal. */
  cves: string[]
  /** It states no severity and takes that of the vulnerabilities it is about (store/upstream-severity.ts). */
  mayBorrow: boolean
  document: () => string
  /** The last fields of its row. */
  row: Buffer
  assertionRows: Buffer
  /** Costly, and needed only when the deciding parts changed. */
  ranges: () => RangeRows
}

/** Everything of a prepared record that is no bytes. */
export type RecordFacts = Omit<PreparedRecord, 'document' | 'row' | 'assertionRows' | 'ranges'>

export function prepare(record: CompiledRecord): PreparedRecord {
  let compiled: RangeRows | undefined
  const documentBytes = Buffer.byteLength(record.document)
  const head = recordHead(record, documentBytes)
  const row = Buffer.allocUnsafe(head.length + documentBytes)
  row.write(head, 'latin1')
  row.write(record.document, head.length)
  return {
    ...factsOf(record),
    document: () => record.document,
    row,
    assertionRows: Buffer.from(assertionRows(record.assertions), 'latin1'),
    ranges: () => (compiled ??= compiledRows(record.ranges())),
  }
}

function compiledRows({ ranges, binaries = [], unorderedBounds }: CompiledRanges): RangeRows {
  return {
    rows: Buffer.from(rangeRows(ranges), 'latin1'),
    packageKeys: packageKeysOf(ranges),
    binaries,
    releases: releasesOf(ranges),
    unorderedBounds,
  }
}

export function releasesOf(ranges: CompiledRanges['ranges']): KnownRelease[] {
  const found = new Map<string, KnownRelease>()
  for (const { packageKey, release } of ranges) {
    if (release === '') continue
    const ecosystem = packageKey.slice(0, packageKey.indexOf('\u001f'))
    found.set(`${ecosystem} ${release}`, [ecosystem, release])
  }
  return [...found.values()]
}

export function packageKeysOf(ranges: CompiledRanges['ranges']): string[] {
  return [...new Set(ranges.map(({ packageKey }) => packageKey))]
}

export function factsOf({
  assertions,
  ranges: _ranges,
  document: _document,
  ...record
}: CompiledRecord): RecordFacts {
  const ownIds = new Set([record.id])
  const cves = new Set<string>()
  let isAboutOthers = false
  for (const { otherId, relation, bridges } of assertions) {
    if (bridges) ownIds.add(otherId)
    if (relation !== 'upstream' && (relation !== 'alias' || bridges)) continue
    isAboutOthers = true
    if (otherId.startsWith('CVE-')) cves.add(otherId)
  }
  return {
    ...record,
    ownIds: [...ownIds],
    cves: [...cves],
    mayBorrow: record.severity === 'unknown' && isAboutOthers,
  }
}
