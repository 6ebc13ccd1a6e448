import type { BinarySource, CompiledRecord } from '../../records/compiled-record.ts'
import { isKnown, type KnownHashes } from '../records/known-hashes.ts'
import { factsOf, packageKeysOf, releasesOf } from '../records/prepared-record.ts'
import { assertionRows, rangeRows, recordHead } from '../records/record-rows.ts'
import { batchCharacters, recordsPerBatch } from './record-reading.ts'
import { listed, type SentBatch, type SentRecord } from './sent-batch.ts'

const firstBytes = 2 * 1024 ** 2

/**
 * Makes batches of records for another thread. Each record becomes its written form as it arrives, so that its parsed form is garbage at
 * once: kept until its batch is full, it would be copied around by the collector.
 */
export class BatchPacker {
  readonly #known: KnownHashes
  #bytes = Buffer.allocUnsafeSlow(firstBytes)
  #used = 0
  #records: SentRecord[] = []
  /** Records of many years name the same packages. */
  readonly #told = new Set<string>()

  /** Records with a known deciding hash are packed without ranges. */
  constructor(known: KnownHashes) {
    this.#known = known
  }

  get isFull(): boolean {
    return this.#records.length >= recordsPerBatch || this.#used >= batchCharacters
  }

  get isEmpty(): boolean {
    return this.#records.length === 0
  }

  add(record: CompiledRecord): void {
    const { document, assertions } = record
    const documentBytes = Buffer.byteLength(document)
    this.#write(recordHead(record, documentBytes))
    const headEnd = this.#used
    this.#makeRoom(documentBytes)
    this.#used += this.#bytes.write(document, this.#used)
    const rowEnd = this.#used
    this.#write(assertionRows(assertions))
    const assertionsEnd = this.#used
    const ranges = isKnown(this.#known, record.decidingHash) ? null : this.#writeRanges(record)
    const ends: SentRecord['ends'] = [headEnd, rowEnd, assertionsEnd, this.#used]
    this.#records.push({ facts: listed(factsOf(record)), ends, ranges })
  }

  /** The records added since the last time. */
  take(): SentBatch {
    const records = this.#records
    const bytes = new ArrayBuffer(this.#used)
    this.#bytes.copy(new Uint8Array(bytes), 0, 0, this.#used)
    this.#records = []
    this.#used = 0
    return { records, bytes }
  }

  #writeRanges(record: CompiledRecord): SentRecord['ranges'] {
    const { ranges, binaries = [], unorderedBounds } = record.ranges()
    this.#write(rangeRows(ranges))
    return {
      packageKeys: packageKeysOf(ranges),
      releases: releasesOf(ranges),
      binaries: binaries.filter((binary) => this.#isUntold(binary)),
      unorderedBounds,
    }
  }

  /** Returned once. */
  #isUntold(binary: BinarySource): boolean {
    const before = this.#told.size
    this.#told.add(binary.join(' '))
    return this.#told.size > before
  }

  #write(text: string): void {
    this.#makeRoom(text.length)
    this.#used += this.#bytes.write(text, this.#used, 'latin1')
  }

  #makeRoom(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#used + bytes, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#used)
    this.#bytes = larger
  }
}
