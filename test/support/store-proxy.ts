import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { PoolConfig } from 'pg'
import { portOf } from './port-of.ts'

/** A TCP proxy between a client and PostgreSQL that breaks connections on demand. */
export type StoreProxy = {
  /** The URL of the store through the proxy. */
  url: string
  /** Cuts every connection without notice, whatever is under way. */
  cut: () => void
  /**
   * Drops all further packets of existing connections, in both directions, like a host that died or a firewall that lost its state; new
   * connections work. With `alsoNew` they are dropped too, until `silence` is called without it or `speak`. With `unheard` the server is not told
   * either that the client has ended its connection.
   */
  silence: (options?: { alsoNew: boolean; unheard?: boolean }) => void
  /** New connections are lost until `speak`; those of now go on. */
  takeNone: () => void
  /** New connections are well again; those that were lost stay so. */
  speak: () => void
  /** From now on new connections are refused as by a server without free sessions. */
  refuse: (isRefusing: boolean) => void
  /** Connections refused so far. */
  refused: () => number
  close: () => Promise<void>
}

type Target = { host: string; port: number; user: string; password: string; database: string }

/** Without TLS, like the test servers. */
export async function startStoreProxy(connection: PoolConfig): Promise<StoreProxy> {
  const target = targetOf(connection)
  const pairs = new Set<[Socket, Socket]>()
  const lost = new Set<Socket>()
  /** Ends of connections at the server that are not told of the other end. */
  const unheard = new Set<Socket>()
  let isRefusing = false
  let refused = 0
  let isSilent = false
  const server = createServer((client) => {
    client.on('error', () => client.destroy())
    if (isRefusing) {
      refused += 1
      client.once('data', () => client.end(errorMessage('53300', 'sorry, too many clients already')))
      return
    }
    if (isSilent) {
      client.resume()
      lost.add(client)
      client.on('close', () => lost.delete(client))
      return
    }
    const { host, port } = target
    const store = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host)
    const pair: [Socket, Socket] = [client, store]
    pairs.add(pair)
    const end = () => {
      pairs.delete(pair)
      for (const socket of pair) if (!unheard.has(socket)) socket.destroy()
    }
    for (const socket of pair) socket.on('error', end).on('close', end)
    client.pipe(store).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(`postgresql://127.0.0.1:${portOf(server)}/${target.database}`)
  url.username = target.user
  url.password = target.password
  return {
    url: url.toString(),
    cut: () => {
      for (const [client, store] of pairs) {
        client.resetAndDestroy()
        store.destroy()
      }
    },
    silence: ({ alsoNew, unheard: isUnheard = false } = { alsoNew: false }) => {
      isSilent = alsoNew
      for (const [client, store] of pairs) {
        if (isUnheard) unheard.add(store)
        client.unpipe(store).resume()
        store.unpipe(client).resume()
      }
    },
    takeNone: () => (isSilent = true),
    speak: () => (isSilent = false),
    refuse: (value) => (isRefusing = value),
    refused: () => refused,
    close: async () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      for (const socket of [...lost, ...unheard]) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function targetOf(connection: PoolConfig): Target {
  const { connectionString, host = 'localhost', port = 5432, user = '', database = '' } = connection
  if (connectionString === undefined) return { host, port, user, password: '', database }
  const url = new URL(connectionString)
  return {
    host: url.searchParams.get('host') ?? url.hostname,
    port: Number(url.searchParams.get('port') ?? (url.port === '' ? 5432 : url.port)),
    user: url.searchParams.get('user') ?? decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  }
}

/** PostgreSQL, "Message Formats": ErrorResponse. */
export function errorMessage(code: string, text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${text}\0\0`)
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}
