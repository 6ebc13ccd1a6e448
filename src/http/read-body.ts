import type { IncomingMessage } from 'node:http'
import { ServiceError } from '../contract/errors.ts'

/** Bytes of bodies that are arriving, all requests together: many slow senders must not fill the memory. */
export class BodyBudget {
  readonly #maxBytes: number
  #heldBytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get heldBytes(): number {
    return this.#heldBytes
  }

  /** Codes: `internal` when the memory for bodies is used up. */
  hold(bytes: number): void {
    if (this.#heldBytes + bytes > this.#maxBytes) {
      throw new ServiceError('internal', { detail: 'too many bodies are arriving', retryAfterSeconds: 5 })
    }
    this.#heldBytes += bytes
  }

  release(bytes: number): void {
    this.#heldBytes -= bytes
  }
}

type BodyLimits = {
  maxBytes: number
  budget: BodyBudget
  /** Told each part as it arrives, also that which is too much. */
  see?: (chunk: Uint8Array) => void
}

/**
 * The body as sent, at most `maxBytes`. A larger announced length is refused without reading; otherwise the bytes that arrive
 * decide. Codes: `too_large`, `internal` (no memory), `timeout` when the sender gives up.
 */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, budget, see }: BodyLimits,
): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new ServiceError('too_large')
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    await eachChunk(request, (chunk) => {
      budget.hold(chunk.length)
      sizeBytes += chunk.length
      see?.(chunk)
      if (sizeBytes > maxBytes) throw new ServiceError('too_large')
      chunks.push(chunk)
    })
    return Buffer.concat(chunks, sizeBytes)
  } finally {
    budget.release(sizeBytes)
  }
}

/** Unlike `for await`, leaves the socket open when `take` throws, so that the refusal can be sent. */
function eachChunk(request: IncomingMessage, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      request.off('data', onData).off('end', settle).off('close', onClose).off('error', onClose)
      if (error === undefined) resolve()
      else reject(error)
    }
    const onData = (chunk: Buffer) => {
      try {
        take(chunk)
      } catch (error) {
        request.pause()
        settle(error instanceof Error ? error : new Error('the body could not be taken', { cause: error }))
      }
    }
    const onClose = () =>
      settle(new ServiceError('timeout', { message: 'The request ended before its body.' }))
    request
      .on('data', onData)
      .on('end', () => settle())
      .on('close', onClose)
      .on('error', onClose)
    if (request.destroyed) onClose()
  })
}
