import type { ComponentRow } from './component-rows.ts'

/** The distinct components of an upload, read and hashed when they are first asked for: where none can be known, that is while others are being stored. */
export class UploadedComponents implements Iterable<ComponentRow> {
  readonly #unread: Iterator<ComponentRow, unknown>
  readonly #rows: ComponentRow[] = []

  constructor(components: Iterable<ComponentRow>) {
    this.#unread = components[Symbol.iterator]()
  }

  *[Symbol.iterator](): Generator<ComponentRow, void, undefined> {
    for (let place = 0; ; place += 1) {
      const row = this.#rows[place] ?? this.#next()
      if (row === undefined) return
      yield row
    }
  }

  /** Reads what is left. */
  all(): readonly ComponentRow[] {
    while (this.#next() !== undefined);
    return this.#rows
  }

  #next(): ComponentRow | undefined {
    const { done, value } = this.#unread.next()
    if (done === true) return undefined
    this.#rows.push(value)
    return value
  }
}
