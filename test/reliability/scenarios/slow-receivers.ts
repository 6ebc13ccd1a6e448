import { once } from 'node:events'
import { createServer as createPlain, type Server, type Socket } from 'node:net'
import { createServer as createTls, type SecureContextOptions } from 'node:tls'
import type { Db } from '../../../src/database/connection.ts'
import { facts, type AlertScene } from '../../alerts/alert-scene.ts'
import type { Receiver, ReceiverLab } from '../../support/receivers.ts'
import { withAlertLab } from './alert-lab.ts'
import type { Outcome } from './outcome.ts'
import { portOf } from '../../support/port-of.ts'
import { fieldOf } from '../../support/read-as.ts'

const timeout = 'no answer within 5 seconds'
const notSecure = 'no secure connection: the host closed it, or its certificate or protocol was refused'
const broken = 'the connection ended before the answer was complete, or the answer is not HTTP'
const markup = '<script>alert(1)</script> & "quoted"'

type Peer = {
  /** What it does on a connection; over TLS unless `isPlain`. */
  speak: (socket: Socket) => void
  isPlain?: boolean
  tls?: (lab: ReceiverLab, host: string) => Promise<SecureContextOptions>
  alpn?: string[]
  /** What is recorded; null: sent. */
  says: string | null
  status?: number
}

const head = (status: string, headers = '') => `HTTP/1.1 ${status}\r\n${headers}\r\n`
const chunked = 'transfer-encoding: chunked\r\n'
const length = (bytes: number) => `content-length: ${bytes}\r\n`

function every(ms: number, socket: Socket, write: () => void): void {
  const timer = setInterval(write, ms)
  socket.on('close', () => clearInterval(timer))
}

/** Writes endlessly, as fast as the peer reads. */
function flood(socket: Socket, chunk: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', write)
  write()
}

const year = 365 * 24 * 3_600_000
const longAgo = { from: new Date(Date.now() - 2 * year), to: new Date(Date.now() - year) }

/** Receivers that are slow or broken, each in its own way, and what is recorded for each. */
export const peers: Record<string, Peer> = {
  'accepts and says nothing, without TLS': { isPlain: true, speak: () => undefined, says: timeout },
  'never finishes TLS': {
    isPlain: true,
    // the header of a handshake record (RFC 8446 §5.1) whose body never comes
    speak: (socket) => socket.once('data', () => socket.write(Buffer.from([22, 3, 3, 64, 0, 2]))),
    says: timeout,
  },
  'says nothing after TLS': { speak: () => undefined, says: timeout },
  'drips its headers': {
    speak: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      every(100, socket, () => socket.write('x: y\r\n'))
    },
    says: timeout,
  },
  'drips its body': {
    speak: (socket) => {
      socket.write(head('200 OK', chunked))
      every(100, socket, () => socket.write('1\r\nx\r\n'))
    },
    says: timeout,
  },
  'drips a byte at a time': {
    speak: (socket) => {
      const text = head('200 OK', length(5_000))
      let at = 0
      every(50, socket, () => socket.write(text[at++] ?? 'x'))
    },
    says: timeout,
  },
  'never sends the body it announces': {
    speak: (socket) => socket.write(head('200 OK', length(10))),
    says: timeout,
  },
  'floods informational answers': {
    speak: (socket) => every(5, socket, () => socket.write(head('103 Early Hints', 'x: y\r\n').repeat(20))),
    says: timeout,
  },
  'has a certificate of another name': {
    speak: () => undefined,
    tls: (lab) => lab.certificate('somebody-else.test'),
    says: notSecure,
  },
  'has an expired certificate': {
    speak: () => undefined,
    tls: (lab, host) => lab.certificate(host, longAgo),
    says: notSecure,
  },
  'speaks HTTP/2 only': { alpn: ['h2'], speak: () => undefined, says: notSecure },
  'closes at once': { isPlain: true, speak: (socket) => socket.destroy(), says: notSecure },
  'is no TLS server': {
    isPlain: true,
    speak: (socket) => socket.end('SSH-2.0-OpenSSH\r\n'),
    says: notSecure,
  },
  'closes after the request': { speak: (socket) => socket.end(), says: broken },
  'ends in the middle': {
    speak: (socket) => socket.end(`${head('200 OK', length(100))}half`),
    says: broken,
  },
  'sends 5 MB of headers': {
    speak: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      flood(socket, `x-filler: ${'x'.repeat(4_000)}\r\n`)
    },
    says: broken,
  },
  'sends garbage for chunks': {
    speak: (socket) => socket.write(`${head('200 OK', chunked)}zz\r\nno chunk\r\n`),
    says: broken,
  },
  'changes the protocol': {
    speak: (socket) =>
      socket.write(head('101 Switching Protocols', 'connection: upgrade\r\nupgrade: websocket\r\n')),
    says: broken,
  },
  'sends an endless body': {
    speak: (socket) => {
      socket.write(head('200 OK', chunked))
      flood(socket, `400\r\n${'x'.repeat(1_024)}\r\n`)
    },
    says: null,
    status: 200,
  },
  'sends an endless page of an error': {
    speak: (socket) => {
      socket.write(head('503 Busy', chunked))
      flood(socket, `400\r\n${'e'.repeat(1_024)}\r\n`)
    },
    says: `HTTP 503: ${'e'.repeat(200)}`,
    status: 503,
  },
  'breaks off the page of an error': {
    speak: (socket) => socket.end(`${head('503 Busy', length(100))}half`),
    says: 'HTTP 503: half',
    status: 503,
  },
  'never ends the page of an error': {
    speak: (socket) => socket.write(`${head('401 Unauthorized', chunked)}4\r\nkey?\r\n`),
    says: 'HTTP 401: key?',
    status: 401,
  },
  'never sends the page of an error': {
    speak: (socket) => socket.write(head('500 Error', length(10))),
    says: 'HTTP 500',
    status: 500,
  },
  'breaks the page of a redirect': {
    speak: (socket) => socket.write(`${head('302 Found', chunked)}zz\r\n`),
    says: 'HTTP 302 (redirects are not followed)',
    status: 302,
  },
  redirects: {
    speak: (socket) => socket.write(head('302 Found', `location: https://127.0.0.1/\r\n${length(0)}`)),
    says: 'HTTP 302 (redirects are not followed)',
    status: 302,
  },
  'has nothing to say': { speak: (socket) => socket.write(head('204 No Content')), says: null, status: 204 },
  'answers with markup': {
    speak: (socket) => socket.write(`${head('500 Error', length(markup.length))}${markup}`),
    says: `HTTP 500: ${markup}`,
    status: 500,
  },
  'compresses its answer': {
    speak: (socket) =>
      socket.write(head('400 Bad', `content-encoding: gzip\r\n${length(4)}`) + '\u001f\u007fab'),
    says: 'HTTP 400: ab',
    status: 400,
  },
}

type Order = {
  db: Db
  /** Healthy receivers besides a hundred that hang. */
  healthy: number
  hanging: number
}

/** Delivers to every slow and broken receiver, then to many that hang and some healthy ones. */
export async function runSlowReceivers({ db, healthy, hanging }: Order): Promise<Outcome> {
  const servers: Closing[] = []
  return withAlertLab(db, async (scene, lab) => {
    const { failures, slowestMs, fewestMs } = await tryEach(scene, lab, servers)
    const mixed = await tryMixed(scene, lab, { healthy, hanging, servers })
    const figures = {
      peers: Object.keys(peers).length,
      slowestMs,
      fewestTimeoutMs: fewestMs,
      ...mixed.figures,
    }
    return { figures, failures: [...failures, ...mixed.failures] }
  }).finally(() => {
    for (const server of servers) server.close()
  })
}

type Closing = { close: () => void }

async function tryEach(scene: AlertScene, lab: ReceiverLab, servers: Closing[]) {
  const names = new Map<string, string>()
  for (const [name, peer] of Object.entries(peers)) {
    const host = `peer-${names.size}.test`
    servers.push(await serve(lab, host, peer))
    names.set(
      await scene.store(scene.acme.id, { url: `https://${host}/`, events: ['report.received'] }),
      name,
    )
  }
  await scene.tell(scene.acme.id, facts['report.received'])
  await scene.send(lab.outbound())
  const failures: string[] = []
  const durations: number[] = []
  const timeouts: number[] = []
  for (const { destination_id: id, state, reason, status, duration_ms } of await scene.deliveries()) {
    const name = names.get(id) ?? ''
    const { says, status: expected = null } = peers[name] ?? { says: 'a peer' }
    if (state !== (says === null ? 'sent' : 'failed') || reason !== says || status !== expected)
      failures.push(`${name}: ${state}, ${status ?? 'no status'}, ${reason ?? 'no reason'}`)
    durations.push(duration_ms ?? Number.NaN)
    if (says === timeout) timeouts.push(duration_ms ?? Number.NaN)
  }
  if (durations.length !== names.size) failures.push(`${durations.length} deliveries`)
  return { failures, slowestMs: Math.max(...durations), fewestMs: Math.min(...timeouts) }
}

type Mixed = { healthy: number; hanging: number; servers: Closing[] }

/** Both kinds get the same event; the hanging ones were stored first, and each has two events. */
async function tryMixed(scene: AlertScene, lab: ReceiverLab, { healthy, hanging, servers }: Mixed) {
  const events = ['deadline.warning' as const]
  const hangs = await serve(lab, 'hangs.test', { isPlain: true, speak: () => undefined, says: timeout })
  servers.push(hangs)
  for (let index = 0; index < hanging; index += 1) {
    const workspace = index % 2 === 0 ? scene.acme : scene.umbrella
    lab.map(`hangs-${index}.test`, hangs.port)
    await scene.store(workspace.id, { url: `https://hangs-${index}.test/`, events })
  }
  const well: Receiver[] = []
  for (let index = 0; index < healthy; index += 1) {
    const receiver = await lab.receive(`well-${index}.test`)
    well.push(receiver)
    await scene.store(scene.acme.id, { url: receiver.url, events })
  }
  for (const { id } of [scene.acme, scene.umbrella, scene.acme])
    await scene.tell(id, facts['deadline.warning'])
  const startedAt = Date.now()
  scene.clock.isReal = true
  await scene.send(lab.outbound())
  scene.clock.isReal = false
  const arrivals = well.flatMap(({ requests }) => requests)
  const lags = arrivals.map(({ body, at }) => {
    return at.getTime() - Date.parse(String(fieldOf(JSON.parse(body), 'created')))
  })
  const slowestMs = Math.max(...arrivals.map(({ at }) => at.getTime() - startedAt))
  const failures = arrivals.length === 2 * healthy ? [] : [`${arrivals.length} alerts reached the healthy`]
  return {
    figures: { hanging, healthy, slowestHealthyMs: slowestMs, maxFromSigningMs: Math.max(...lags) },
    failures,
  }
}

async function serve(lab: ReceiverLab, host: string, peer: Peer): Promise<Closing & { port: number }> {
  const open = new Set<Socket>()
  const speak = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined).on('close', () => open.delete(socket))
    // a peer that answers without reading would be cut off before the request is complete
    if (peer.isPlain === true) peer.speak(socket)
    else socket.once('data', () => peer.speak(socket))
    socket.resume()
  }
  const made = await (peer.tls ?? (() => lab.certificate(host)))(lab, host)
  const server: Server =
    peer.isPlain === true
      ? createPlain(speak)
      : createTls({ ...made, ...(peer.alpn === undefined ? {} : { ALPNProtocols: peer.alpn }) }, speak)
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  lab.map(host, port)
  return {
    port,
    close: () => {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
