import { once } from 'node:events'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import { generate } from 'selfsigned'
import { expect, it } from 'vitest'
import { answerHalfClosed } from '../../src/http/broken-requests.ts'
import { portOf } from '../support/port-of.ts'

it('answers a client that has stopped sending over TLS, too', async () => {
  const pair = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  const server = createServer({ key: pair.private, cert: pair.cert }, (_request, response) => {
    void sleep(100).then(() => response.end('answered'))
  })
  answerHalfClosed(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const options = { port: portOf(server), host: '127.0.0.1', ca: pair.cert, allowHalfOpen: true }
  const socket = connect(options)
  await once(socket, 'secureConnect')
  socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await text(socket)).toMatch(/answered$/)
  socket.destroy()
  server.close()
})
