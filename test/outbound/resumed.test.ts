import { once } from 'node:events'
import { hourMs } from '../../src/contract/durations.ts'
import { createServer, type Server } from 'node:https'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outbound } from '../../src/platform/outbound/outbound.ts'
import { startReceiverLab, type ReceiverLab } from '../support/receivers.ts'
import { portOf } from '../support/port-of.ts'
import { objectWith } from '../support/expected.ts'
/** Names that lead to the receiver; its certificate has one of them. */
const [host, otherHost] = ['resumed.test', 'other.test']

let lab: ReceiverLab
let outbound: Outbound
let server: Server
/** For each connection that carried a request, whether it resumed a session. */
const resumed: boolean[] = []

beforeAll(async () => {
  lab = await startReceiverLab()
  server = createServer(await lab.certificate(host), (request, response) => {
    resumed.push(request.socket instanceof TLSSocket && request.socket.isSessionReused())
    request.resume()
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (const name of [host, otherHost]) lab.map(name, portOf(server))
  outbound = lab.outbound()
})
afterAll(() => {
  server.close()
  lab.close()
})

const post = (name = host) =>
  outbound.ask({ purpose: 'alert', url: `https://${name}/hook`, method: 'POST', body: Buffer.from('{}') })

const code = (failure: string) => objectWith({ code: failure })

describe('a second connection to a host', () => {
  it('goes on with the TLS session of the first', async () => {
    for (let number = 0; number < 3; number += 1) expect((await post()).status).toBe(204)
    expect(resumed).toEqual([false, true, true])
  })

  it('by another name has a session of its own, and its certificate is checked', async () => {
    await expect(post(otherHost)).rejects.toEqual(code('tls_failed'))
    expect(resumed).toHaveLength(3)
  })

  it.each([
    ['of another name', () => lab.certificate(otherHost)],
    [
      'that has expired',
      () =>
        lab.certificate(host, {
          from: new Date(Date.now() - 2 * hourMs),
          to: new Date(Date.now() - hourMs),
        }),
    ],
  ])('that has a certificate %s since then is refused', async (_what, certificate) => {
    expect((await post()).status).toBe(204)
    server.setSecureContext(await certificate())
    await expect(post()).rejects.toEqual(code('tls_failed'))
    server.setSecureContext(await lab.certificate(host))
    expect((await post()).status).toBe(204)
    expect(resumed.splice(3)).toEqual([expect.any(Boolean), false])
  })
})
