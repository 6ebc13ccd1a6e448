import { gunzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { limits } from '#contract/limits.ts'
import { packed } from './packed.ts'

const large = limits.bodySentBytes + 1

describe('packed', () => {
  it('sends what fits as it is', async () => {
    const file = new Blob(['{}'])
    expect(await packed(file)).toBe(file)
  })

  it('compresses what is larger than one request may be', async () => {
    const bytes = new Uint8Array(large).fill(0x20)
    const sent = await packed(new Blob([bytes]))
    expect(sent.size).toBeLessThan(100_000)
    expect(gunzipSync(await sent.bytes()).length).toBe(large)
  })

  it.each([
    ['gzip', [0x1f, 0x8b]],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ])('leaves %s alone', async (_name, magic) => {
    const bytes = new Uint8Array(large)
    bytes.set(magic)
    const file = new Blob([bytes])
    expect(await packed(file)).toBe(file)
  })

  it.each([2, large])('says of one of %i bytes that it has changed since it was chosen', async (bytes) => {
    const file = new Blob([new Uint8Array(bytes)])
    vi.spyOn(file, 'slice').mockImplementation(() => {
      throw new DOMException('changed since', 'NotReadableError')
    })
    await expect(packed(file)).rejects.toThrow('The browser can no longer read this file.')
  })
})
