/**
 * The bytes of a body, with one owner at a time: whoever reads them from the request, then the parser they are given to. The owner frees them at once with
 * `release`, or takes them with `using`; the collector hardly notices memory outside its heap and would leave it.
 */
export class OwnedBytes implements Disposable {
  readonly length: number
  #bytes: Uint8Array<ArrayBuffer> | null

  /** Nobody else may keep the buffer: after the release it has no bytes. */
  constructor(buffer: ArrayBuffer) {
    this.length = buffer.byteLength
    this.#bytes = new Uint8Array(buffer)
  }

  /** For a look or a copy, not to keep. */
  get bytes(): Uint8Array {
    if (this.#bytes === null) throw new Error('the bytes of a body are used after their release')
    return this.#bytes
  }

  /** Calling it twice changes nothing. */
  release(): void {
    if (this.#bytes === null) return
    this.#bytes.buffer.transfer(0)
    this.#bytes = null
  }

  [Symbol.dispose](): void {
    this.release()
  }
}
