import { once } from 'node:events'
import { createServer } from 'node:net'
import pino from 'pino'
import { freePort as freePortNumber } from '../support/free-port.ts'
import { portOf } from '../support/port-of.ts'

export const silentLog = pino({ level: 'silent' })

export async function takePort(): Promise<{ port: number; close: () => void }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: portOf(server), close: () => server.close() }
}

/** As a setting. */
export async function freePort(): Promise<string> {
  return String(await freePortNumber())
}
