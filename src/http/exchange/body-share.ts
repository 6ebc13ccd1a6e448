import { ClientQueue } from '../../platform/concurrency/client-queue.ts'

/** Of one turn of the event loop: a request that takes several turns is still answered at once. */
const shareMs = 2
/** What it takes until bytes are here, which cannot be measured here: the system copies them into new memory. */
const msPerByte = 5 / 1024 / 1024

/**
 * The time that reading bodies may take before everybody else goes on. Bytes that cost nothing to send can cost a lot to read: a body in chunks
 * of one byte takes a microsecond for each of them.
 */
export class BodyShare {
  readonly #waiting = new ClientQueue<() => void>()
  #usedMs = 0
  #isDue = false

  get isUsedUp(): boolean {
    return this.#usedMs >= shareMs
  }

  /** Reads a piece of so many bytes. */
  take(bytes: number, read: () => void): void {
    const begunAtMs = performance.now()
    read()
    this.#usedMs += performance.now() - begunAtMs + bytes * msPerByte
    this.#await()
  }

  /** Goes on in one of the next turns. */
  wait(goOn: () => void, client: string): void {
    this.#waiting.add(goOn, client)
    this.#await()
  }

  #await(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#usedMs = 0
      while (!this.isUsedUp) {
        const goOn = this.#waiting.next()
        if (goOn === undefined) return
        goOn()
      }
      if (!this.#waiting.isEmpty) this.#await()
    })
  }
}
