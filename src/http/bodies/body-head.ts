import type { IncomingMessage } from 'node:http'
import { isHeldBack } from '../exchange/ask-for-bodies.ts'

/** The project is named in the first few kilobytes of a notification; a description of it may be long. */
const maxBytes = 64 * 1024
const patienceMs = 2_000

/** The first bytes of a body, to report what was refused without accepting it. */
export class BodyHead {
  readonly #chunks: Buffer[] = []
  #sizeBytes = 0

  readonly add = (chunk: Uint8Array): void => {
    const part = chunk.subarray(0, maxBytes - this.#sizeBytes)
    if (part.length === 0) return
    // a copy: the part would keep the whole chunk in memory
    this.#chunks.push(Buffer.from(part))
    this.#sizeBytes += part.length
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#sizeBytes)
  }

  /** Reads on where nothing has been read yet, for two seconds at most; a client that waits to be asked is not asked. */
  async readFrom(request: IncomingMessage): Promise<void> {
    if (this.#sizeBytes > 0 || request.readableEnded || request.destroyed || isHeldBack(request)) return
    await new Promise<void>((resolve) => {
      const settle = () => {
        clearTimeout(timer)
        request.off('data', onData).off('end', settle).off('close', settle).off('error', settle)
        // the rest is discarded as it comes, or the connection could carry no other request
        request.resume()
        resolve()
      }
      const onData = (chunk: Buffer) => {
        this.add(chunk)
        if (this.#sizeBytes >= maxBytes) settle()
      }
      const timer = setTimeout(settle, patienceMs)
      request.on('data', onData).on('end', settle).on('close', settle).on('error', settle)
    })
  }
}
