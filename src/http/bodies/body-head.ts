import type { IncomingMessage } from 'node:http'
import { GrowingBody } from './growing-body.ts'
import { isHeldBack } from '../exchange/ask-for-bodies.ts'

/** The project is named in the first few kilobytes of a notification; a description of it may be long. */
const maxBytes = 64 * 1024
const patienceMs = 2_000

/** The first bytes of a body, to report what was refused without accepting it. */
export class BodyHead {
  readonly #body = new GrowingBody(maxBytes, () => undefined)

  readonly add = (chunk: Uint8Array): void => {
    const part = chunk.subarray(0, maxBytes - this.#body.size)
    if (part.length > 0) this.#body.add(part)
  }

  /** They are handed over. */
  take(): Uint8Array {
    return new Uint8Array(this.#body.take())
  }

  /** Reads on where nothing has been read yet, for two seconds at most; a client that waits to be asked is not asked. */
  async readFrom(request: IncomingMessage): Promise<void> {
    if (this.#body.size > 0 || request.readableEnded || request.destroyed || isHeldBack(request)) return
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
        if (this.#body.size >= maxBytes) settle()
      }
      const timer = setTimeout(settle, patienceMs)
      request.on('data', onData).on('end', settle).on('close', settle).on('error', settle)
    })
  }
}
