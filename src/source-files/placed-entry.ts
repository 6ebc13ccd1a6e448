import type { Entry } from 'yauzl'

/** What is needed of an entry of a zip file to read it. */
export type PlacedEntry = Pick<
  Entry,
  | 'fileName'
  | 'compressedSize'
  | 'uncompressedSize'
  | 'crc32'
  | 'compressionMethod'
  | 'relativeOffsetOfLocalHeader'
> & { isEncrypted: boolean }

/** Without the library's own entry, which is several times as large: a file may have a million. */
export function placedEntry(entry: Entry): PlacedEntry {
  return {
    fileName: entry.fileName,
    compressedSize: entry.compressedSize,
    uncompressedSize: entry.uncompressedSize,
    crc32: entry.crc32,
    compressionMethod: entry.compressionMethod,
    relativeOffsetOfLocalHeader: entry.relativeOffsetOfLocalHeader,
    isEncrypted: entry.isEncrypted(),
  }
}
