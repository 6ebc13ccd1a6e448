import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { FrameWriter, maxPayloadBytes, readFrames } from './frames.ts'

async function written(data: Buffer): Promise<Buffer> {
  const sink = new PassThrough()
  const bytes = buffer(sink)
  const frames = new FrameWriter(sink)
  await frames.json('H', { version: 1 })
  await frames.data(data)
  await frames.json('F', { sha256: frames.digest() })
  sink.end()
  return bytes
}

function* inPieces(bytes: Buffer, size: number) {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

async function read(bytes: Buffer, size: number) {
  const read: [string, number, string][] = []
  for await (const { kind, payload, digestBefore } of readFrames(Readable.from(inPieces(bytes, size)))) {
    read.push([kind, payload.length, digestBefore()])
  }
  return read
}

it.each([1, 4, 5, 7, 65_536])('frames are the same in pieces of %i bytes', async (size) => {
  const bytes = await written(Buffer.alloc(size < 10 ? 300 : maxPayloadBytes + 1, 7))
  expect(await read(bytes, size)).toEqual(await read(bytes, bytes.length))
})

it.each([1, 3, 65_536])('an end in the middle of a frame is told, in pieces of %i bytes', async (size) => {
  const bytes = await written(Buffer.alloc(300))
  for (const missing of [1, 70, bytes.length - 3]) {
    await expect(read(bytes.subarray(0, -missing), size)).rejects.toThrow(/middle of a record/)
  }
})
