/**
 * Pipelining: the answers to statements of one transaction that were sent without waiting for each other. Fails with the first failure, once
 * all have ended: the session would run statements sent later after the rollback.
 */
export async function pipelined<T extends readonly unknown[]>(statements: {
  readonly [K in keyof T]: Promise<T[K]>
}): Promise<{ -readonly [K in keyof T]: T[K] }> {
  const all = Promise.all(statements)
  await Promise.allSettled([all, ...statements])
  return all
}
