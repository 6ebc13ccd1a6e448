import { expect, it } from 'vitest'
import { EntryList } from './entry-list.ts'
import type { PlacedEntry } from './placed-entry.ts'

const max32 = 0xffff_ffff

function entry(index: number): PlacedEntry {
  return {
    fileName: index % 3 === 0 ? '' : `cves/2024/${index}é😀.json`,
    compressedSize: max32 - index,
    uncompressedSize: index,
    crc32: (index * 2_654_435_761) % (max32 + 1),
    compressionMethod: index % 2 === 0 ? 8 : 65_535,
    isEncrypted: index % 5 === 0,
    relativeOffsetOfLocalHeader: Number.MAX_SAFE_INTEGER - index,
  }
}

it.each([0, 1, 4_095, 4_096, 10_000])('gives %i entries as they were added', (count) => {
  const entries = Array.from({ length: count }, (_, index) => entry(index))
  const list = new EntryList()
  for (const each of entries) list.add(each)
  expect(list.length).toBe(count)
  expect([...list]).toEqual(entries)
})
