import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../contract/errors.ts'
import { OwnedBytes } from '../parser/owned-bytes.ts'
import { GrowingBody } from './bodies/growing-body.ts'
import type { ArrivingBodies, BodyOwner } from './bodies/arriving-bodies.ts'
import { watchPace } from './bodies/body-pace.ts'

type Reading = {
  maxBytes: number
  bodies: ArrivingBodies
  owner: BodyOwner
  /** The limit as the refusal words it, where it is not in bytes. */
  limit?: string
  /** Called with each part as it arrives, even one that is too much. */
  see?: (chunk: Uint8Array) => void
}

/**
 * The body as sent, at most `maxBytes`. A larger announced length is refused without reading; otherwise the bytes that arrive decide. The caller takes it with `using`, and may pass it on.
 * Codes: `too_large`; `internal` (others need the memory more); `timeout` when it comes too slowly or its sender gives up.
 */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, bodies, owner, see, limit = `${maxBytes} bytes as sent` }: Reading,
): Promise<OwnedBytes> {
  const announced = Number(request.headers['content-length'] ?? maxBytes)
  const tooLarge = () => new ServiceError('too_large', { detail: `more than ${limit}` })
  if (announced > maxBytes) throw tooLarge()
  using held = bodies.open(owner)
  using body = new GrowingBody(announced, held.hold)
  using watched = watchPace(bodies, () => body.size)
  await eachChunk(request, [held.over, watched.tooSlow], (chunk) => {
    see?.(chunk)
    if (body.size + chunk.length > maxBytes) throw tooLarge()
    body.add(chunk)
    return 'more'
  })
  return new OwnedBytes(body.take())
}

/**
 * Passes the body on until it ends or `take` has enough of it. Unlike `for await`, leaves the socket open when `take` throws or one of
 * `over` rejects, so that the refusal can be sent; nothing more is taken then. Codes: `timeout` when its sender gives up, and those of
 * `over`.
 */
export function eachChunk(
  request: IncomingMessage,
  over: Promise<never>[],
  take: (chunk: Buffer) => 'more' | 'enough',
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  const refuse = (error: unknown) => {
    request.pause()
    settle()
    reject(error instanceof Error ? error : new Error('the body could not be taken', { cause: error }))
  }
  const onData = (chunk: Buffer) => {
    try {
      if (take(chunk) === 'more') return
      request.pause()
      settle()
      resolve(undefined)
    } catch (error) {
      refuse(error)
    }
  }
  const onEnd = () => {
    settle()
    resolve(undefined)
  }
  const onClose = () => {
    settle()
    reject(new ServiceError('timeout', { message: 'The request ended before its body.' }))
  }
  const settle = () =>
    request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
  for (const refusal of over) refusal.catch(refuse)
  request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  if (request.destroyed) onClose()
  return promise
}
