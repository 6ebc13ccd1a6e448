import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { decompress, releaseInflated } from './decompress.ts'

const text = Buffer.from('a'.repeat(1024 * 1024))

it('the memory of an inflated file is given back at once, and its body stays', () => {
  const body = gzipSync(text)
  const file = decompress(body, 'gzip', 'gzip', text.length)
  expect(Buffer.compare(file, text)).toBe(0)
  const before = process.memoryUsage().arrayBuffers
  releaseInflated(file, body)
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThanOrEqual(text.length)
  expect(file).toHaveLength(0)
  expect(Buffer.compare(decompress(body, 'gzip', 'gzip', text.length), text)).toBe(0)
})

it('a body that is not compressed is the file itself, and stays', () => {
  const body = new Uint8Array(text)
  const file = decompress(body, undefined, 'gzip', text.length)
  releaseInflated(file, body)
  expect(file).toHaveLength(text.length)
})
