import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import pino from 'pino'

export const silentLog = pino({ level: 'silent' })

export async function takePort(): Promise<{ port: number; close: () => void }> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

export async function freePort(): Promise<string> {
  const { port, close } = await takePort()
  close()
  return String(port)
}
