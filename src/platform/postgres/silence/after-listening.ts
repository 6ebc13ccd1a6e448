/** More than the turns of the loop in which a session is opened: the connection, TLS, the password, the settings. */
const steps = 20

/**
 * Calls `act` once the process has listened for so long; returns what calls that off. A process that reads its own program, or gets no turn of a busy
 * machine, hears nothing meanwhile, and afterwards its timers come first: a server that answered long ago would count as silent. So no step
 * counts for more than twice its length, however late it ends.
 */
export function afterListening(ms: number, act: () => void): () => void {
  const stepMs = ms / steps
  let listenedMs = 0
  let timer: NodeJS.Timeout
  const listen = () => {
    const since = performance.now()
    timer = setTimeout(
      () => {
        listenedMs += Math.min(performance.now() - since, 2 * stepMs)
        if (listenedMs < ms) listen()
        else act()
      },
      Math.min(stepMs, ms - listenedMs),
    ).unref()
  }
  listen()
  return () => clearTimeout(timer)
}

/** What was asked comes to, or null once the process has listened for so long in vain. */
export async function answerWithin<T>(ms: number, asked: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>()
  const callOff = afterListening(ms, () => late.resolve(null))
  try {
    return await Promise.race([asked, late.promise])
  } finally {
    callOff()
  }
}
