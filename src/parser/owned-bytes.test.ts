import { expect, it } from 'vitest'
import { OwnedBytes } from './owned-bytes.ts'

it('bytes are there until they are released, and their memory is gone at once', () => {
  const buffer = new Uint8Array([1, 2, 3]).buffer
  const owned = new OwnedBytes(buffer)
  expect([...owned.bytes]).toEqual([1, 2, 3])
  owned.release()
  owned.release()
  expect(buffer.detached).toBe(true)
  expect(owned.length).toBe(3)
  expect(() => owned.bytes).toThrow('after their release')
})

it('their memory is given back without the collector', () => {
  const owned = new OwnedBytes(new ArrayBuffer(8 * 1024 * 1024))
  const before = process.memoryUsage().arrayBuffers
  owned.release()
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(7 * 1024 * 1024)
})
