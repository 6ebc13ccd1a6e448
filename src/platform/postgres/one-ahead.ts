/**
 * Pipelining, one statement ahead: runs the statements of a transaction in order and builds the next one while the database works on the
 * current one. None outlives the call: its session would run it after the rollback.
 */
export async function oneAhead<T>(
  items: Iterable<T> | AsyncIterable<T>,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const statements: Promise<void>[] = []
  try {
    for await (const item of items) {
      await statements.at(-2)
      statements.push(awaitedLater(run(item)))
    }
    await Promise.all(statements)
  } finally {
    await Promise.allSettled(statements)
  }
}

/** The promise is awaited only some rounds later; a failure before that must not end the process. */
function awaitedLater(statement: Promise<void>): Promise<void> {
  statement.catch(() => undefined)
  return statement
}
