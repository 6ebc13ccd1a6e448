import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RefusedData } from './refused-data.ts'
import { inflatedChunks } from './inflated-chunks.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inflated-chunks-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0
async function contentOf(bytes: Uint8Array, maxBytes = 10_000_000): Promise<Buffer> {
  const path = join(folder, `file-${(files += 1)}`)
  await writeFile(path, bytes)
  const chunks: Buffer[] = []
  for await (const chunk of inflatedChunks(path, maxBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const content = randomBytes(3_000_000)

describe('inflatedChunks', () => {
  it('gives plain and gzip content alike', async () => {
    expect((await contentOf(content)).equals(content)).toBe(true)
    expect((await contentOf(gzipSync(content))).equals(content)).toBe(true)
  })

  it('reads gzip files of several members, and files that only begin like one', async () => {
    const members = Buffer.concat([gzipSync('one '), gzipSync('two')])
    expect((await contentOf(members)).toString()).toBe('one two')
    expect(await contentOf(Buffer.from([0x1f]))).toEqual(Buffer.from([0x1f]))
    expect(await contentOf(Buffer.alloc(0))).toEqual(Buffer.alloc(0))
  })

  const packed = gzipSync(content)
  it.each([
    ['cut off', packed.subarray(0, packed.length - 9)],
    ['cut off after the header', packed.subarray(0, 12)],
    ['with a wrong checksum', Buffer.from(packed).fill(0, packed.length - 8, packed.length - 4)],
    ['with other bytes inside', Buffer.from(packed).fill(0xff, 1_000, 1_100)],
  ])('refuses a gzip file %s', async (_what, bytes) => {
    await expect(contentOf(bytes)).rejects.toThrow('broken or cut off')
    await expect(contentOf(bytes)).rejects.toBeInstanceOf(RefusedData)
  })

  it('refuses content above the limit, also when few bytes inflate to it', async () => {
    await expect(contentOf(content, 2_999_999)).rejects.toThrow('more than 2999999 bytes')
    await expect(contentOf(gzipSync(Buffer.alloc(20_000_000)))).rejects.toBeInstanceOf(RefusedData)
  })

  it('says when there is no such file', async () => {
    await expect(inflatedChunks(join(folder, 'absent'), 1).next()).rejects.toThrow('ENOENT')
  })

  it('can be left early', async () => {
    const path = join(folder, 'left')
    await writeFile(path, gzipSync(content))
    for await (const chunk of inflatedChunks(path, 10_000_000)) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    await rm(path)
  })
})
