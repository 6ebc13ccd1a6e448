/** Processes each item, so many at a time; after the first failure no further one is started, and the failure is thrown once those running have ended. */
export async function inParallel<T>(
  items: Iterable<T> | AsyncIterable<T>,
  max: number,
  act: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
  const failures: unknown[] = []
  const work = async () => {
    while (failures.length === 0) {
      const next = await iterator.next()
      if (next.done === true) return
      await act(next.value)
    }
  }
  const workers = Array.from({ length: max }, () => work().catch((error: unknown) => failures.push(error)))
  await Promise.all(workers)
  if (failures.length > 0) throw failures[0]
}
