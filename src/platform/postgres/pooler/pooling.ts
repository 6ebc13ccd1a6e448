import type { ClientBase, ClientConfig } from 'pg'
import { openSession } from '../session.ts'
import { answerWithin } from '../silence/after-listening.ts'
import type { Driven } from '../silence/driver.ts'

/** How an address hands out the server's sessions: to one client until it leaves (itself or through a pooler), or for one transaction at a time. */
export type Pooling = 'none' | 'session' | 'transaction'

const rounds = 5
/** A pooler in session mode lets a client wait while every session is in use. */
const patienceMs = 3_000

/**
 * Finds out how an address hands out sessions. A pooler tells its clients other session numbers than the server's. Where it lends sessions for a
 * transaction, two clients who ask in turn get the same one, or one of them gets two.
 */
export async function poolingAt(connection: ClientConfig): Promise<Pooling> {
  const options = { applicationName: 'sbom-monitor start' }
  const { client: one } = await openSession(connection, options)
  try {
    if (await isServersOwn(one)) return 'none'
    const { client: other } = await openSession(connection, options)
    try {
      return (await areLent(one, other)) ? 'transaction' : 'session'
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
}

/** Whether a client speaks to the server itself. */
export async function isServersOwn(client: ClientBase): Promise<boolean> {
  return (client as Driven).processID === (await backendOf(client))
}

async function areLent(one: ClientBase, other: ClientBase): Promise<boolean> {
  const first = await backendOf(one)
  for (let round = 0; round < rounds; round += 1) {
    const others = await answerWithin(patienceMs, backendOf(other))
    // it gets no session while the other client has one
    if (others === null) return false
    if (others === first || (await backendOf(one)) !== first) return true
  }
  return false
}

async function backendOf(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid ?? 0
}
