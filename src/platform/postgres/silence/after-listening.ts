/** More than the turns of the loop in which a session is opened: the connection, TLS, the password, the settings. */
const steps = 20

/**
 * Calls `act` once the process has listened for so long; returns what calls that off. A process that reads its own program, or gets no turn of a busy
 * machine, hears nothing meanwhile, and afterwards its timers come first: a server that answered long ago would count as silent. So none of the
 * steps counts for more than its own length, however late it comes.
 */
export function afterListening(ms: number, act: () => void): () => void {
  let left = steps
  const timer = setTimeout(() => {
    left -= 1
    if (left > 0) timer.refresh()
    else act()
  }, ms / steps).unref()
  return () => clearTimeout(timer)
}
