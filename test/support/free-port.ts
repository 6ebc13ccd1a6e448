import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that a system gives to whoever asks for any: it gives none of these to another test before, or while, its server is down. */
const firstPort = 16_000
const parts = 125
const partSize = 128
let picked = 0

/** A port of 127.0.0.1 for a server that starts in a moment, or again. Processes pick from parts of their own, and none twice in a row. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < partSize; tries += 1) {
    const port = firstPort + (process.pid % parts) * partSize + (picked % partSize)
    picked += 1
    if (await isFree(port)) return port
  }
  throw new Error('no free port')
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const listening = once(probe, 'listening')
  probe.listen(port, '127.0.0.1')
  try {
    await listening
    return true
  } catch {
    return false
  } finally {
    probe.close()
  }
}
