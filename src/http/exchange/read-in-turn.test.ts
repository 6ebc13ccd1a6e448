import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readInTurn } from './read-in-turn.ts'
import { portOf } from '../../../test/support/port-of.ts'

const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

it('ends the connection that has sent most when too much is held, and answers the others in full', async () => {
  const held: ServerResponse[] = []
  let isOpen = false
  const server = createServer((_request, response) => {
    if (isOpen) response.end()
    else held.push(response)
  })
  readInTurn(server, 10_000)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  const answers = new Map<Socket, string>()
  const send = async (requests: number) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.on('data', (chunk) => answers.set(socket, (answers.get(socket) ?? '') + chunk.toString()))
    await once(socket, 'connect')
    socket.write(request.repeat(requests))
    return socket
  }
  const modest = await send(10)
  const greedy = await send(300)
  while (held.length < 2) await sleep(5)
  const newcomer = await send(200)
  if (!greedy.closed) await once(greedy, 'close')
  while (held.length < 3) await sleep(5)
  isOpen = true
  for (const response of held) response.end()
  const count = (socket: Socket) => (answers.get(socket) ?? '').split('HTTP/1.1 200').length - 1
  while (count(modest) < 10 || count(newcomer) < 200) await sleep(5)
  expect(answers.has(greedy)).toBe(false)
  for (const socket of [modest, newcomer]) socket.destroy()
  server.close()
})

it.each([1, 2, 7, 29, 1_000])('reads what comes in pieces of %i bytes', async (size) => {
  const paths: string[] = []
  const server = createServer((asked, response) => {
    let text = ''
    asked.on('data', (chunk: Buffer) => (text += chunk.toString()))
    asked.on('end', () => {
      paths.push(`${asked.url ?? ''} ${text}`)
      response.end()
    })
  })
  readInTurn(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect(portOf(server), '127.0.0.1').setNoDelay()
  socket.resume()
  const body = 'a\r\n\r\nGET /none HTTP/1.1\r\n\r\n'
  const bytes = [
    `POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    'GET /2 HTTP/1.1\r\nHost: x\r\n\r\n',
    `POST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n\r\n\r\nb\r\n0\r\n\r\n`,
    'GET /4 HTTP/1.1\r\nHost: x\r\n\r\n',
  ].join('')
  for (let at = 0; at < bytes.length; at += size) {
    socket.write(bytes.slice(at, at + size))
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.end()
  await once(socket, 'close')
  expect(paths).toEqual([`/1 ${body}`, '/2 ', '/3 \r\n\r\nb', '/4 '])
  server.close()
})
