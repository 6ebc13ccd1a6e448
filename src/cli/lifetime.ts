/** Thrown to callers that are still starting when the process is told to stop. */
class StoppedWhileStarting extends Error {
  override name = 'StoppedWhileStarting'
}

/** What a process has opened: closed once, in reverse order, when it is told to stop or could not start. */
export class Lifetime {
  readonly #stopping = new AbortController()
  readonly #closers: (() => Promise<void>)[] = []
  #closed: Promise<void> | null = null

  /** Aborted when closing begins: what is still starting need not finish. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Opens a part. What is still opening when the process stops is closed as soon as it is open. */
  async open<T>(start: () => Promise<T>, close: (opened: T) => Promise<void>): Promise<T> {
    if (this.stopping.aborted) throw new StoppedWhileStarting('stopped before everything was started')
    const opening = start()
    this.#closers.push(async () => {
      const outcome = await opening.then(
        (opened) => ({ opened }),
        // Callers of `open` are told.
        () => null,
      )
      if (outcome !== null) await close(outcome.opened)
    })
    return opening
  }

  close(): Promise<void> {
    this.#stopping.abort()
    return (this.#closed ??= this.#closeAll())
  }

  async #closeAll(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close()
  }
}
