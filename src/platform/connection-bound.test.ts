import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { expect, it } from 'vitest'
import { boundConnections, readFileLimit } from './connection-bound.ts'

it('the limit is what Linux says, and none where nothing says it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'limits-'))
  const path = join(folder, 'limits')
  const said = (limit: string) =>
    `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${limit}              524288               files     \n`
  writeFileSync(path, said('1024'))
  expect(readFileLimit(path)).toBe(1024)
  writeFileSync(path, said('unlimited'))
  expect(readFileLimit(path)).toBe(null)
  expect(readFileLimit(join(folder, 'missing'))).toBe(null)
  rmSync(folder, { recursive: true })
})

it('clients have half of the files; more are turned away, and the log says so', async () => {
  const lines: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const server = createServer((socket) => void socket.write('in'))
  boundConnections(server, { limit: 4, log })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const enter = async () => {
    const socket = connect(port, '127.0.0.1')
    const outcome = await Promise.race([
      once(socket, 'data').then(() => 'in'),
      once(socket, 'close').then(() => 'turned away'),
    ])
    return { socket, outcome }
  }
  const entered = [await enter(), await enter(), await enter(), await enter()]
  expect(entered.map(({ outcome }) => outcome)).toEqual(['in', 'in', 'turned away', 'turned away'])
  expect(lines).toMatchObject([{ connections: 1, max: 2, limit: 4 }])
  const [first] = entered
  first?.socket.destroy()
  await expect.poll(async () => (await enter()).outcome).toBe('in')
  for (const { socket } of entered) socket.destroy()
  server.close()
})
