import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
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

it('reads bodies a little at a time, however small their chunks, and takes in nothing more meanwhile', async () => {
  const [connections, chunks] = [4, 100_000]
  let [inThisTurn, inOneTurn, total] = [0, 0, 0]
  const server = createServer((asked, response) => {
    asked.on('data', (chunk: Buffer) => {
      inThisTurn += chunk.length
      total += chunk.length
    })
    asked.on('end', () => response.end())
  })
  readInTurn(server, 2_000_000)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let isOver = false
  const look = () => {
    inOneTurn = Math.max(inOneTurn, inThisTurn)
    inThisTurn = 0
    if (!isOver) setImmediate(look)
  }
  look()
  const body = '1\r\na\r\n'.repeat(chunks)
  const send = async () => {
    const socket = connect(portOf(server), '127.0.0.1')
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`,
    )
    return text(socket)
  }
  const answers = await Promise.all(Array.from({ length: connections }, send))
  isOver = true
  expect(answers.map((answer) => answer.slice(0, 15))).toEqual(Array(connections).fill('HTTP/1.1 200 OK'))
  expect(total).toBe(connections * chunks)
  // one connection alone would bring all of its chunks at once
  expect(inOneTurn).toBeLessThan(chunks / 4)
  server.close()
})

it('reads on where a client has not taken in the answer to a request before its body had ended', async () => {
  const answer = 'a'.repeat(1_000_000)
  const bodies: string[] = []
  const server = createServer((asked, response) => {
    response.end(answer)
    void text(asked).then((body) => bodies.push(body))
  })
  readInTurn(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect(portOf(server), '127.0.0.1')
  const head = (length: number) => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`
  const [first, second, third] = ['1'.repeat(20_000), '2'.repeat(20_000), '3'.repeat(20_000)]
  socket.write(`${head(first.length)}${first.slice(0, 10_000)}`)
  await sleep(50)
  socket.end(`${first.slice(10_000)}${head(second.length)}${second}${head(third.length)}${third}`)
  await sleep(50)
  const answers = await text(socket)
  expect(answers.split(answer).length - 1).toBe(3)
  expect(bodies).toEqual([first, second, third])
  server.close()
})
