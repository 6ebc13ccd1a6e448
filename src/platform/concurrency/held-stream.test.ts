import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { heldStream } from './held-stream.ts'

const patience = { stallMs: 10_000, maxMs: 10_000 }
const onFailure = (error: unknown) => {
  throw error
}

it('gives back what it holds before its end is told', async () => {
  const held = new AsyncDisposableStack()
  let isGivenBack = false
  held.defer(async () => {
    await sleep(20)
    isGivenBack = true
  })
  const stream = heldStream(piecesOf('a', 'b'), { held, onFailure, ...patience })
  const pieces: string[] = []
  for await (const piece of stream) {
    pieces.push(String(piece))
    expect(isGivenBack).toBe(false)
  }
  expect(pieces.join('')).toBe('ab')
  expect(isGivenBack).toBe(true)
})

it('gives it back when nobody reads on', async () => {
  const held = new AsyncDisposableStack()
  const given = Promise.withResolvers<undefined>()
  held.defer(() => given.resolve(undefined))
  const stream = heldStream(piecesOf('a', 'b'), { held, onFailure, ...patience })
  stream.destroy()
  await given.promise
})

async function* piecesOf(...pieces: string[]) {
  for (const piece of pieces) {
    await Promise.resolve()
    yield piece
  }
}
