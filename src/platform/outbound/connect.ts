import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext, type TLSSocket } from 'node:tls'
import type { buildConnector } from 'undici'
import { isLoopbackAddress, isPublicAddress, normalAddress } from './address.ts'
import type { Deadline } from './deadline.ts'
import { endpointKey, type DialMap, type Endpoint } from './dial-map.ts'
import { OutboundError } from './outbound-error.ts'
import type { ResolveHost } from './resolve.ts'
import type { TlsSessions } from './tls-sessions.ts'

export type Guard = {
  resolve: ResolveHost
  /** A lab's map; addresses that are not in it are not dialled. Null outside labs. */
  dialMap: DialMap | null
  /** The operator vouches for this host: its addresses may be private. */
  trusted: boolean
  /** The trusted certificates, built once: building them costs more than the rest of a connection. */
  secureContext: SecureContext
  /** Shared by all connections of a process. */
  sessions: TlsSessions
  deadline: Deadline
  /** How many bytes the peer may have sent, those that carry nothing included. */
  maxReceivedBytes: () => number
  /** Waited for before a connection is used. */
  onConnected?: () => Promise<void>
}

/**
 * Opens connections for undici, and only to addresses that were checked: a literal or every answer of the resolver must
 * be public, the connection goes to a checked address and nowhere else, and the peer is checked once more when it is made.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  return (options, callback) => {
    open(guard, options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error as Error, null),
    )
  }
}

async function open(guard: Guard, options: buildConnector.Options): Promise<Socket | TLSSocket> {
  const secure = options.protocol === 'https:'
  const host = options.hostname.replace(/^\[|\]$/g, '')
  const port = options.port === '' ? (secure ? 443 : 80) : Number(options.port)
  const addresses = await checkedAddresses(guard, host)
  guard.deadline.progress()
  const socket = await connectToFirst(
    guard,
    addresses.map((address) => ({ address, port })),
  )
  guard.deadline.progress()
  const connection = secure ? await secured(guard, socket, { host, port }) : socket
  endWhenFlooded(connection, guard.maxReceivedBytes)
  await guard.onConnected?.().catch((error: unknown) => {
    connection.on('error', () => undefined).destroy()
    throw error
  })
  return connection
}

/** The parser does not count interim answers, reason phrases and extensions of chunks, and has no end for them. */
function endWhenFlooded(connection: Socket, maxReceivedBytes: () => number): void {
  connection.on('readable', () => {
    if (connection.bytesRead > maxReceivedBytes()) connection.destroy(new OutboundError('too_large'))
  })
}

/** The addresses of a host, all of them public unless the operator vouches for it. Throws `OutboundError`. */
export async function checkedAddresses(
  { resolve, trusted, deadline }: Pick<Guard, 'resolve' | 'trusted' | 'deadline'>,
  hostname: string,
): Promise<string[]> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolve(host, deadline.signal) : [host]
  if (!trusted && !addresses.every(isPublicAddress)) throw new OutboundError('address_refused')
  return addresses
}

/** How long an address may be silent while another is left (RFC 8305, 5), and how many may: the deadline must leave time for the last. */
const silentMs = 1_000
const maxSilent = 2

async function connectToFirst(guard: Guard, endpoints: Endpoint[]): Promise<Socket> {
  const { signal } = guard.deadline
  let failure = new OutboundError('connect_failed')
  for (const [place, endpoint] of endpoints.entries()) {
    const hasNext = place < Math.min(maxSilent, endpoints.length - 1)
    try {
      return await dial(
        guard,
        endpoint,
        hasNext ? AbortSignal.any([signal, AbortSignal.timeout(silentMs)]) : signal,
      )
    } catch (error) {
      if (!(error instanceof OutboundError) || error.code !== 'connect_failed') throw error
      failure = error
    }
  }
  throw failure
}

async function dial(guard: Guard, checked: Endpoint, signal: AbortSignal): Promise<Socket> {
  const target = dialTarget(guard, checked)
  const socket = connectTcp({ host: target.address, port: target.port, noDelay: true })
  await established(socket, 'connect', signal, 'connect_failed')
  if (normalAddress(socket.remoteAddress ?? '') !== normalAddress(target.address)) {
    socket.destroy()
    throw new OutboundError('address_refused')
  }
  return socket
}

function dialTarget(guard: Guard, checked: Endpoint): Endpoint {
  if (guard.dialMap === null) return checked
  const mapped = guard.dialMap.get(endpointKey(checked))
  if (mapped !== undefined) return mapped
  if (guard.trusted && isLoopbackAddress(checked.address)) return checked
  throw new OutboundError('connect_failed')
}

/** As the URL names it. */
type Named = { host: string; port: number }

async function secured(guard: Guard, socket: Socket, { host, port }: Named): Promise<TLSSocket> {
  const { secureContext, sessions, deadline } = guard
  const endpoint = `${host}:${port}`
  const session = sessions.find(endpoint, performance.now())
  const tls = connectTls({
    socket,
    secureContext,
    ...(session === undefined ? {} : { session }),
    host,
    // a literal has no server name to send (RFC 6066 §3); its certificate is checked against `host`
    servername: isIP(host) === 0 ? host : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  })
  // in TLS 1.3 it arrives behind the handshake
  tls.on('session', (made: Buffer) => {
    if (tls.authorized)
      sessions.keep(endpoint, made, { isResumed: tls.isSessionReused(), nowMs: performance.now() })
  })
  await established(tls, 'secureConnect', deadline.signal, 'tls_failed')
  return tls
}

function established(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  signal: AbortSignal,
  failure: 'connect_failed' | 'tls_failed',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error: Error | null) => {
      signal.removeEventListener('abort', abort)
      socket.off(event, succeed).off('error', fail).off('close', close)
      if (error === null) {
        resolve()
        return
      }
      // an error that arrives while the socket is torn down has no other listener
      socket.on('error', () => undefined).destroy()
      reject(error)
    }
    const succeed = () => settle(null)
    const fail = (cause: Error) => settle(new OutboundError(failure, cause))
    const close = () => settle(new OutboundError(failure))
    const abort = () =>
      settle(signal.reason instanceof OutboundError ? signal.reason : new OutboundError(failure))
    if (signal.aborted) {
      abort()
      return
    }
    signal.addEventListener('abort', abort, { once: true })
    socket.once(event, succeed).once('error', fail).once('close', close)
  })
}
