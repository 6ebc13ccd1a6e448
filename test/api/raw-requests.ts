import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'vitest'

/** Sends raw bytes and returns everything received until the answer is complete or the server closes. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  const whole = Promise.withResolvers<undefined>()
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    if (isWhole(Buffer.concat(chunks))) whole.resolve(undefined)
  })
  socket.write(bytes)
  await Promise.race([once(socket, 'close'), whole.promise])
  socket.destroy()
  return Buffer.concat(chunks).toString()
}

const partBytes = 1024 * 1024
export const twentyParts = 20 * partBytes

/** Sends the head and 20 MB whatever comes back, as most clients do, and returns the answer; fails if a reset lost it. */
export async function sendAll(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  let wasReset = false
  socket.on('data', (chunk) => chunks.push(chunk)).on('error', () => (wasReset = true))
  const closed = once(socket, 'close')
  socket.write(head)
  const part = Buffer.alloc(partBytes, 32)
  for (let sent = 0; sent < 20 && !socket.destroyed; sent += 1)
    if (!socket.write(part)) await Promise.race([once(socket, 'drain'), closed])
  await closed
  expect(wasReset).toBe(false)
  return Buffer.concat(chunks).toString()
}

function isWhole(answer: Buffer): boolean {
  const bodyAt = answer.indexOf('\r\n\r\n') + 4
  const length = /\r\ncontent-length: (\d+)/i.exec(answer.subarray(0, bodyAt).toString())?.[1]
  return bodyAt >= 4 && length !== undefined && answer.length >= bodyAt + Number(length)
}
