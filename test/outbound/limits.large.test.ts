import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDeadline } from '../../src/platform/outbound/deadline.ts'
import { endpointKey, parseDialMap, type Endpoint } from '../../src/platform/outbound/dial-map.ts'
import { createOutbound, type Outbound } from '../../src/platform/outbound/outbound.ts'
import { hasOpenssl, makeCertificate } from './certificate.ts'
import { startDnsServer, type DnsServer } from './dns-server.ts'
import { portOf } from '../support/port-of.ts'

const publicAddress = '93.184.215.14'
const names: Record<string, { a: string[] }> = {
  'feed.test': { a: [publicAddress] },
  'alert.test': { a: [publicAddress] },
  'other.test': { a: [publicAddress] },
  'inside.test': { a: ['127.0.0.1'] },
}

let dns: DnsServer
let outbound: Outbound
const dialMap = new Map<string, Endpoint>()
const folder = mkdtempSync(join(tmpdir(), 'outbound-'))
const servers: (Server | HttpServer)[] = []

beforeAll(async () => {
  dns = await startDnsServer((name) => names[name])
  outbound = createOutbound({
    dnsServer: dns.address,
    dialMap,
    allowedOrigins: { sources: ['http://feed.test'] },
  })
})

afterEach(() => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  }
})

afterAll(() => {
  dns.close()
  rmSync(folder, { recursive: true })
})

async function listen(server: Server | HttpServer, publicPort: number): Promise<number> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  dialMap.set(endpointKey({ address: publicAddress, port: publicPort }), { address: '127.0.0.1', port })
  return port
}

const serveHttp = (listener: RequestListener) => listen(createHttpServer(listener), 80)

test('a redirect of a feed is followed, at most three times', async () => {
  await serveHttp((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('arrived')
    else response.writeHead(302, { location: `/${left - 1}` }).end('moved')
  })
  const answer = await outbound.ask({ url: 'http://feed.test/3', purpose: 'feed' })
  expect([answer.status, answer.body.toString(), answer.url]).toEqual([200, 'arrived', 'http://feed.test/0'])
  await expect(outbound.ask({ url: 'http://feed.test/4', purpose: 'feed' })).rejects.toMatchObject({
    code: 'redirect_refused',
  })
})

test.each([
  ['http://other.test/', 'url_refused'],
  ['https://127.0.0.1/', 'address_refused'],
  ['https://[::1]/', 'address_refused'],
  ['https://inside.test/', 'address_refused'],
  ['https://user@other.test/', 'url_refused'],
  ['file:///etc/passwd', 'url_refused'],
  ['//10.0.0.1/', 'url_refused'],
])('a redirect to %s is refused', async (location, code) => {
  await serveHttp((_, response) => response.writeHead(301, { location }).end())
  await expect(outbound.ask({ url: 'http://feed.test/', purpose: 'feed' })).rejects.toMatchObject({ code })
})

test("an operator's own address may be loopback, and lifts the guard for no other host", async () => {
  const port = await serveHttp((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://other.test/' }).end()
    else response.end('own')
  })
  const url = `http://127.0.0.1:${port}/`
  const answer = await outbound.ask({ url, purpose: 'feed', operatorsOwn: true })
  expect(answer.body.toString()).toBe('own')
  await expect(outbound.ask({ url, purpose: 'feed' })).rejects.toMatchObject({ code: 'url_refused' })
  await expect(
    outbound.ask({ url: `${url}away`, purpose: 'feed', operatorsOwn: true }),
  ).rejects.toMatchObject({ code: 'url_refused' })
})

test('a download is written to the file, and nothing is written for another status', async () => {
  await serveHttp((request, response) => {
    if (request.url === '/data') response.end('x'.repeat(200_000))
    else response.writeHead(404).end('nothing here')
  })
  const toFile = join(folder, 'data')
  const found = await outbound.download({ url: 'http://feed.test/data', purpose: 'feed', toFile })
  expect([found.status, found.sizeBytes, readFileSync(toFile, 'utf8').length]).toEqual([
    200, 200_000, 200_000,
  ])
  const missing = join(folder, 'missing')
  const answer = await outbound.download({ url: 'http://feed.test/none', purpose: 'feed', toFile: missing })
  expect([answer.status, answer.sizeBytes, existsSync(missing)]).toEqual([404, 0, false])
})

test('an answer larger than asked for is refused, announced or not', async () => {
  await serveHttp((request, response) => {
    if (request.url === '/announced') response.writeHead(200, { 'content-length': '5000' })
    response.end('x'.repeat(5_000))
  })
  for (const path of ['announced', 'chunked']) {
    const question = { url: `http://feed.test/${path}`, purpose: 'feed', maxBytes: 1_000 } as const
    await expect(outbound.ask(question)).rejects.toMatchObject({ code: 'too_large' })
    const toFile = join(folder, path)
    await expect(outbound.download({ ...question, toFile })).rejects.toMatchObject({ code: 'too_large' })
  }
})

test('an answer that ends early is broken, not short', async () => {
  await serveHttp((_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half', () => response.destroy())
  })
  const toFile = join(folder, 'half')
  await expect(
    outbound.download({ url: 'http://feed.test/', purpose: 'feed', toFile }),
  ).rejects.toMatchObject({ code: 'broken_answer' })
})

test('headers over 16 KB and answers that are not HTTP are refused', async () => {
  await serveHttp((_, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end())
  await expect(outbound.ask({ url: 'http://feed.test/', purpose: 'feed' })).rejects.toMatchObject({
    code: 'broken_answer',
  })
  await listen(
    createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n')),
    80,
  )
  await expect(outbound.ask({ url: 'http://feed.test/', purpose: 'feed' })).rejects.toMatchObject({
    code: 'broken_answer',
  })
})

/** Sends the same again as long as anybody reads. */
function flood(socket: Socket, piece: string): void {
  socket.on('error', () => undefined)
  const send = () => {
    while (socket.writable && socket.write(piece)) continue
  }
  socket.on('drain', send)
  send()
}

test.each([
  ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['a reason without end', 'HTTP/1.1 200 ', 'x'],
  ['an extension of a chunk without end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;x=', 'x'],
])('a flood of %s is no answer, and is not read on', async (_what, beginning, piece) => {
  await listen(
    createTcpServer((socket) =>
      socket.once('data', () => {
        socket.write(beginning)
        flood(socket, piece.repeat(500))
      }),
    ),
    80,
  )
  const question = { url: 'http://feed.test/', purpose: 'feed', maxBytes: 32_768 } as const
  await expect(outbound.ask(question)).rejects.toMatchObject({ code: 'too_large' })
})

test('compressed answers are not inflated', async () => {
  const sent = gzipSync('data')
  await serveHttp((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(sent))
  const { body } = await outbound.ask({ url: 'http://feed.test/', purpose: 'feed' })
  expect(body.equals(sent)).toBe(true)
})

test('a pause without progress ends a request, progress prolongs it, the total ends it anyway', async () => {
  const stalled = startDeadline(10_000, 40)
  await expect(stalled.race(new Promise(() => undefined))).rejects.toMatchObject({ code: 'timeout' })
  const endless = startDeadline(150, 60)
  const dripping = setInterval(endless.progress, 20)
  const started = performance.now()
  await expect(endless.race(new Promise(() => undefined))).rejects.toMatchObject({ code: 'timeout' })
  expect(performance.now() - started).toBeGreaterThan(100)
  clearInterval(dripping)
  for (const deadline of [stalled, endless]) deadline.stop()
})

test('a peer that accepts and never speaks TLS ends an alert after 5 s', async () => {
  await listen(
    createTcpServer(() => undefined),
    443,
  )
  const started = performance.now()
  // a timer of the same process: a busy machine delays it as it delays the limit
  const late = sleep(6_000, 'too late', { ref: false })
  const ended = outbound
    .ask({ url: 'https://alert.test/', purpose: 'alert' })
    .catch((error: unknown) => error)
  expect(await Promise.race([ended, late])).toMatchObject({ code: 'timeout' })
  expect(performance.now() - started).toBeGreaterThan(4_900)
})

test.skipIf(!hasOpenssl)(
  'alerts over TLS: name checked, no redirect followed, answer cut at 32 KB (needs openssl)',
  async () => {
    const trusted = makeCertificate(folder, 'alert.test')
    setDefaultCACertificates([...getCACertificates('default'), trusted.cert.toString()])
    // a client loads its trusted authorities at its first connection
    const trusting = createOutbound({ dnsServer: dns.address, dialMap, allowedOrigins: {} })
    const listener: RequestListener = (request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: 'https://other.test/' }).end()
      else if (request.url === '/flood') {
        response.writeHead(200, { 'transfer-encoding': 'chunked' }).flushHeaders()
        flood(request.socket, `1;${'x'.repeat(500)}\r\nx\r\n`)
      } else response.end(Buffer.concat([Buffer.from(request.method ?? ''), Buffer.alloc(100_000, 'x')]))
    }
    await listen(createHttpsServer(trusted, listener), 443)
    const answer = await trusting.ask({
      url: 'https://alert.test/',
      purpose: 'alert',
      method: 'POST',
      body: Buffer.from('{}'),
    })
    expect([answer.status, answer.body.length, answer.body.subarray(0, 5).toString()]).toEqual([
      200,
      32_768,
      'POSTx',
    ])
    const flooded = await trusting.ask({ url: 'https://alert.test/flood', purpose: 'alert' })
    expect([flooded.status, flooded.body.length < 32_768]).toEqual([200, true])
    const moved = await trusting.ask({ url: 'https://alert.test/moved', purpose: 'alert' })
    expect(moved.status).toBe(302)
    await expect(trusting.ask({ url: 'https://other.test/', purpose: 'alert' })).rejects.toMatchObject({
      code: 'tls_failed',
    })
    await listen(createHttpsServer(makeCertificate(folder, 'other.test'), listener), 443)
    await expect(trusting.ask({ url: 'https://other.test/', purpose: 'alert' })).rejects.toMatchObject({
      code: 'tls_failed',
    })
  },
)

test.each([
  ['1.2.3.4:443', '127.0.0.1'],
  ['host:443', '127.0.0.1:1'],
  ['1.2.3.4:443', '127.0.0.1:0'],
  ['1.2.3.4:443', ''],
  ['', '127.0.0.1:1'],
])('a dial map that is not one is refused: %s to %s', (from, to) => {
  expect(() => parseDialMap({ [from]: to })).toThrow('expected "ip:port"')
})

test('a dial map takes IPv4 and IPv6 in any spelling', () => {
  const map = parseDialMap({ '1.2.3.4:443': '127.0.0.1:8443', '[2606:4700::0001]:80': '[::1]:8080' })
  expect(map.get(endpointKey({ address: '1.2.3.4', port: 443 }))).toEqual({
    address: '127.0.0.1',
    port: 8_443,
  })
  expect(map.get(endpointKey({ address: '2606:4700:0::1', port: 80 }))).toEqual({
    address: '::1',
    port: 8_080,
  })
})
