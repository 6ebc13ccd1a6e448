import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createZstdCompress, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { tarEnd, tarHeader, tarPadding } from '../formats/tar-entry.ts'
import { RefusedData } from './refused-data.ts'
import { tarEntries } from './tar-entries.ts'

const modifiedAt = new Date('2026-01-31T12:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'tar-entries-'))

function entry(name: string, text: string): Buffer {
  const sizeBytes = Buffer.byteLength(text)
  return Buffer.concat([tarHeader({ name, sizeBytes, modifiedAt }), Buffer.from(text), tarPadding(sizeBytes)])
}

/** A header of another type, with its checksum. */
function typed(type: string, name: string, text: string): Buffer {
  const bytes = entry(name, text)
  bytes.write(type, 156, 'latin1')
  bytes.write(' '.repeat(8), 148, 'latin1')
  const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return bytes
}

const archive = (...entries: Buffer[]) => Buffer.concat([...entries, tarEnd()])

async function read(bytes: Buffer): Promise<string[]> {
  const path = join(folder, `${Math.random()}.tar`)
  writeFileSync(path, bytes)
  const found: string[] = []
  for await (const { name, bytes: content } of tarEntries(path)) found.push(`${name} ${content.toString()}`)
  return found
}

const two = archive(
  entry('2024/cve-2024-1.json', '{"a":1}'),
  entry('README', 'no record'),
  entry('2024/cve-2024-2.json', `{"b":"${'x'.repeat(3_000_000)}"}`),
)
const names = async (bytes: Buffer) => (await read(bytes)).map((line) => line.split(' ')[0])
const both = ['2024/cve-2024-1.json', '2024/cve-2024-2.json']

describe('an archive', () => {
  it.each<[string, Buffer]>([
    ['plain', two],
    ['gzip', gzipSync(two)],
    ['Zstandard', zstdCompressSync(two)],
  ])('of %s gives its JSON files', async (_, bytes) => {
    expect(await names(bytes)).toEqual(both)
  })

  it('may call a file by a name before it', async () => {
    const long = `${'long/'.repeat(60)}cve.json`
    expect(await names(archive(typed('L', '././@LongLink', `${long}\0`), entry('cut', '{}')))).toEqual([long])
    const pax = typed('x', 'PaxHeaders/1', '19 path=a/cve.json\n')
    expect(await read(archive(pax, entry('cut', '{}'), entry('b.json', '[]')))).toEqual([
      'a/cve.json {}',
      'b.json []',
    ])
  })

  it.each<[string, Buffer]>([
    ['cut off in a file', two.subarray(0, 1_700_000)],
    ['cut off between files', two.subarray(0, 1_024)],
    ['cut off, Zstandard', zstdCompressSync(two).subarray(0, -20)],
    ['cut off, gzip', gzipSync(two).subarray(0, -20)],
    ['broken', Buffer.from(two).fill(7, 500, 1_100)],
    ['of nothing', Buffer.alloc(0)],
    ['of something else', Buffer.from('<html>'.repeat(500))],
    ['with a name above it', archive(entry('../../etc/cve.json', '{}'))],
    ['with an absolute name', archive(entry('/etc/cve.json', '{}'))],
    [
      'with a name above it, told before',
      archive(typed('L', 'x', '2024/../../cve.json\0'), entry('cut', '{}')),
    ],
    ['with a size it has not', archive(tarHeader({ name: 'a.json', sizeBytes: 60_000_000, modifiedAt }))],
    ['with a file that is too large', tarHeader({ name: 'a.json', sizeBytes: 65 * 1024 ** 2, modifiedAt })],
    ['with a name of megabytes', archive(typed('L', 'x', 'n'.repeat(70_000)))],
  ])('%s is refused', async (_, bytes) => {
    await expect(read(bytes)).rejects.toThrow(RefusedData)
  })

  it('that is a bomb costs no memory', async () => {
    const zeros = Buffer.alloc(1024 ** 2)
    const header = tarHeader({ name: 'zeros.bin', sizeBytes: 512 * zeros.length, modifiedAt })
    const content = Readable.from([header, ...Array<Buffer>(512).fill(zeros), tarEnd()])
    const bomb = await buffer(content.pipe(createZstdCompress()))
    expect(bomb.length).toBeLessThan(200_000)
    const before = process.memoryUsage().arrayBuffers
    expect(await read(bomb)).toEqual([])
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(200 * 1024 ** 2)
  })
})
