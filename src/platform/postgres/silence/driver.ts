import { Socket } from 'node:net'
import pg, { type ClientBase, type ClientConfig } from 'pg'
import type { DatabaseAddress, Host } from '../address/address.ts'

/** What the driver has beside its types. */
export type Driven = ClientBase & {
  /** The number of the session at the server. */
  processID: number | null
  /** False while an answer is awaited. */
  readyForQuery: boolean
  /** Of the server that the session is on. */
  host: string
  port: number
  /** Where that is, of a name with several addresses. */
  address: string | undefined
  /** When a standby was started, which tells it from others behind the same address. */
  runsSince: string | undefined
  connection: { stream: Socket }
}

export type DriverConnection = pg.Connection & { stream: Socket }

export type Startup = Record<string, string>

type Asked = (this: object, message: unknown) => unknown
/** What the client overrides. */
export const driver = pg.Client.prototype as unknown as Record<
  '_handleAuthSASL' | '_handleAuthSASLContinue' | '_handleAuthCleartextPassword' | '_handleAuthMD5Password',
  Asked
> & { getStartupConf: () => Startup }

type Connected = Pick<Driven, 'host' | 'port'> & { address?: string | undefined }

/** Which host a session is on. */
export function hostOf({ host, port, address }: Connected): Host {
  return { host, port, ...(address !== undefined && { address }) }
}

export function isSameHost(one: Connected, other: Connected): boolean {
  return one.host === other.host && one.port === other.port && one.address === other.address
}

/** The driver's configuration before a host is chosen. Settings of the address apply beside the program's own. */
export function driverConfig(
  address: DatabaseAddress,
  { options, application_name: usual }: ClientConfig,
): object {
  const { user, password, database, applicationName = usual } = address
  const settings = [options, address.options].filter(Boolean).join(' ')
  return {
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
    ...(database !== undefined && { database }),
    ...(settings !== '' && { options: settings }),
    application_name: applicationName,
    ssl: false,
    ...address.hosts[0],
  }
}

/** Notices a peer that vanished without a word: the network between was cut, or its machine is gone. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

export function keepAliveOf(ms: DatabaseAddress['keepAliveMs']): typeof keepAlive | object {
  if (ms === undefined) return keepAlive
  return ms === null ? { keepAlive: false } : { keepAlive: true, keepAliveInitialDelayMillis: ms }
}

/** The driver connects by the name, by which it judges the certificate. */
export function socketTo(address: string): Socket {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  return Object.assign(socket, { connect: (port: number) => connect(port, address) })
}

/** Late messages of a host that was given up no longer concern the session. */
export function abandon(connection: DriverConnection): void {
  connection.removeAllListeners()
  connection.on('error', () => undefined)
  connection.stream.destroy()
}

/** 25006: the server no longer accepts writes. The statement fails as usual; the session ends, so that another host is looked for. */
export function leaveOnceReadOnly(connection: DriverConnection): void {
  connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code !== '25006') return
    const end = new Error('Connection terminated: the server no longer accepts writes')
    connection.once('readyForQuery', () => connection.stream.destroy(end))
  })
}
