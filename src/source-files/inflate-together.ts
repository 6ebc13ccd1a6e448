import { crc32, gunzipSync } from 'node:zlib'
import type { PlacedEntry } from './placed-entry.ts'

/** An entry of a zip file, compressed by deflate, with its bytes. */
export type CompressedEntry = { entry: PlacedEntry; compressed: Buffer }

/** RFC 1952: no name, no time. */
const memberHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const trailerBytes = 8

/**
 * Inflates entries in one call, as the members of one gzip file, which a zip file's directory gives the ends of: starting the library takes
 * longer than inflating a small entry. undefined: one of them is not what the directory says.
 */
export function inflateTogether(entries: readonly CompressedEntry[]): Buffer[] | undefined {
  const size = entries.reduce((sum, { entry }) => sum + entry.uncompressedSize, 0)
  const content = gunzipped(membersOf(entries), size)
  if (content?.length !== size) return undefined
  let at = 0
  const contents = entries.map(({ entry }) => content.subarray(at, (at += entry.uncompressedSize)))
  return entries.every(({ entry }, index) => crc32(contents[index] ?? '') === entry.crc32)
    ? contents
    : undefined
}

function membersOf(entries: readonly CompressedEntry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ entry, compressed }) => {
      const trailer = Buffer.allocUnsafe(trailerBytes)
      trailer.writeUInt32LE(entry.crc32, 0)
      trailer.writeUInt32LE(entry.uncompressedSize, 4)
      return [memberHeader, compressed, trailer]
    }),
  )
}

function gunzipped(members: Buffer, size: number): Buffer | undefined {
  try {
    // one buffer of the right size instead of a large one that is copied from
    return gunzipSync(members, { maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, 64) })
  } catch (error) {
    // it names no entry
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}
