/** What the work comes to; fails with the reason of the signal once that is aborted, whatever the work is waiting for then. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const fail = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', fail)
  if (signal.aborted) fail()
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', fail)
  }
}
