import pg, { type ClientConfig } from 'pg'
import type { DatabaseAddress, Host } from '../address/address.ts'
import { withAddresses } from '../address/addresses-of-names.ts'
import { offersBinding } from '../address/channel-binding.ts'
import { findHost, UnfitHost, type Attempt, type Failure } from '../address/find-host.ts'
import { HostMemory } from '../address/host-memory.ts'
import { passwordFrom } from '../address/password-file.ts'
import { readAddress } from '../address/read-address.ts'
import { tlsOptions, type TlsOptions } from '../address/tls.ts'
import { untilAborted } from '../../concurrency/until-aborted.ts'
import { afterListening, answerWithin } from './after-listening.ts'
import {
  abandon,
  driver,
  driverConfig,
  hostOf,
  isSameHost,
  keepAlive,
  keepAliveOf,
  leaveOnceReadOnly,
  socketTo,
  type Driven,
  type DriverConnection,
  type Startup,
} from './driver.ts'

/** Unless the caller has more patience. */
const connectTimeoutMs = 5_000
const goodbyeMs = 2_000
/** Shared by all sessions of the process. A host that suits one kind does not suit the other. */
const memory = new HostMemory()
const memoryOfStandbys = new HostMemory()

export type BoundedConfig = ClientConfig & {
  openTimeoutMs?: number
  /** A server that is no standby is passed over, whatever the address and the environment say. */
  seeksStandby?: boolean
  /** Of the hosts of the address this alone. */
  only?: Host
  /** Every host but this one; what is found is not preferred afterwards. */
  besides?: Host
  /** Gives up the opening, not a session that is open. */
  signal?: AbortSignal
}

/**
 * The driver's client with limits on opening and closing a session: a silent host never acknowledges the end. An address is read as libpq
 * reads it, and its hosts are tried in turn (address/).
 */
export class BoundedClient extends pg.Client {
  /** Null where the connection is given otherwise, as that of the embedded store. */
  readonly #address: DatabaseAddress | null
  readonly #besides: Host | null
  readonly #openTimeoutMs: number
  readonly #signal: AbortSignal | undefined
  /** As it was given; one found in a file belongs to a host. */
  readonly #password: unknown
  /** Whether the server has been asked to prove itself with its certificate. */
  #isBound = false
  /** What the driver has reported of the session. */
  #loss: Error | null = null
  address: string | undefined
  runsSince: string | undefined

  constructor({ openTimeoutMs = connectTimeoutMs, connectionString, ...given }: BoundedConfig = {}) {
    const { seeksStandby, only, besides = null, signal, ...config } = given
    const read = connectionString === undefined ? null : readAddress(connectionString)
    const address = read === null ? null : narrowed(read, { seeksStandby, only })
    const place = address === null ? { connectionString } : driverConfig(address, config)
    super({ ...config, ...place, ...keepAlive, connectionTimeoutMillis: 0 })
    this.#address = address
    this.#besides = besides
    this.#openTimeoutMs = openTimeoutMs
    this.#signal = signal
    this.#password = (this as { password?: unknown }).password
    // Whoever asked for the session listens once it is open, some steps after the server has admitted it. A report without a listener would end
    // the process.
    this.on('error', (error) => (this.#loss ??= error))
  }

  /** Whether to look, among several servers, for one that accepts writes. */
  get seeksWriter(): boolean {
    return this.#address !== null && !['any', 'standby'].includes(this.#address.attributes)
  }

  /** Makes new sessions ask this one's host first, and `other` last. */
  succeed(other: BoundedClient): void {
    memory.answered(hostOf(this))
    memory.replaced(hostOf(other))
  }

  override connect(): Promise<pg.Client>
  override connect(done: (error: Error) => void): void
  override connect(done?: (error: Error) => void): Promise<pg.Client> | void {
    const address = this.#address
    const opening = address === null ? this.#open(this.#openTimeoutMs) : this.#find(address)
    if (done === undefined) return opening.then(() => this)
    opening.then(() => (done as () => void)(), done)
  }

  /** Ends the connection that is being opened when it takes too long, or is no longer wanted. */
  async #open(limitMs: number): Promise<void> {
    this.#signal?.throwIfAborted()
    const { connection } = this as unknown as Driven
    const end = (error: Error) => connection.stream.destroy(error)
    const giveUp = () => end(this.#signal?.reason as Error)
    const callOff = afterListening(limitMs, () => end(new Error('timeout expired')))
    this.#signal?.addEventListener('abort', giveUp)
    try {
      await super.connect()
      // The end may come in the packet that admits it.
      if (this.#loss !== null) throw this.#loss
    } finally {
      callOff()
      this.#signal?.removeEventListener('abort', giveUp)
    }
  }

  async #find(address: DatabaseAddress): Promise<void> {
    const patienceMs = this.#openTimeoutMs
    const until = performance.now() + patienceMs
    const finding = withAddresses(address.hosts, { patienceMs: patienceMs / 2 })
    const hosts = await (this.#signal === undefined ? finding : untilAborted(finding, this.#signal))
    const besides = this.#besides
    const left = besides === null ? hosts : hosts.filter((host) => !isSameHost(host, besides))
    const found = { ...address, hosts: left }
    const usual = address.attributes === 'standby' ? memoryOfStandbys : memory
    await findHost(found, {
      memory: besides === null ? usual : new HostMemory(),
      patienceMs: Math.max(1, until - performance.now()),
      attempt: (attempt) => this.#attempt(found, attempt),
    })
  }

  async #attempt(address: DatabaseAddress, { host, encryption, limitMs }: Attempt): Promise<Failure | null> {
    const reached = { isReached: false, isLate: false }
    const wasReplaced = memory.isReplaced(host)
    const ssl = encryption === 'tls' ? tlsOptions(address.tls) : false
    const connection = this.#begin({ ...host, ssl, keepAliveMs: address.keepAliveMs })
    connection.once('connect', () => (reached.isReached = true))
    const reported = new Map<string, string>()
    connection.on('parameterStatus', (said: { parameterName: string; parameterValue: string }) =>
      reported.set(said.parameterName, said.parameterValue),
    )
    try {
      await this.#open(limitMs)
      if (address.channelBinding === 'require' && !this.#isBound) throw new UnfitHost('unbound')
      await this.#expectFit(address, { reported, limitMs })
      if (this.seeksWriter && !wasReplaced && memory.isReplaced(host)) throw new UnfitHost('replaced')
      if (this.seeksWriter) leaveOnceReadOnly(connection)
      return null
    } catch (error) {
      abandon(connection)
      if (this.#signal?.aborted === true) throw error
      return { error, ...reached, isLate: error instanceof Error && error.message === 'timeout expired' }
    }
  }

  /** The driver's client connects once; for another host it gets a new connection and drops the previous one. */
  #begin({ host, port, address, ssl, keepAliveMs }: Beginning): DriverConnection {
    const stream = address === undefined ? {} : { stream: () => socketTo(address) }
    const config = { ssl, ...keepAliveOf(keepAliveMs), ...stream }
    const connection = new pg.Connection(config) as unknown as DriverConnection
    const { connectionParameters } = this as unknown as { connectionParameters: object }
    Object.assign(connectionParameters, { host, port, ssl })
    // As the driver does: printing the client does not print the key.
    if (ssl !== false)
      for (const secret of ['key', 'passphrase'])
        if (secret in ssl) Object.defineProperty(ssl, secret, { enumerable: false })
    Object.assign(this, { password: this.#password ?? (() => this.#passwordFor({ host, port })) })
    this.#isBound = false
    this.#loss = null
    Object.assign(this, { host, port, address, ssl, connection })
    Object.assign(this, { _connecting: false, _connected: false, _connectionError: false, _ended: false })
    Object.assign(this, { processID: null, secretKey: null, readyForQuery: false, saslSession: null })
    return connection
  }

  /** Called by the driver. */
  getStartupConf(): Startup {
    return { ...driver.getStartupConf.call(this), ...startup }
  }

  /** Called by the driver when the server asks for a password and none was given. */
  #passwordFor({ host, port }: Host): string {
    const { user, database } = this as unknown as { user: string; database: string }
    return passwordFrom(this.#address?.passFile, { host, port, user, database })
  }

  /** Called by the driver, before anything is said of the password. */
  _handleAuthSASL(message: { mechanisms: string[] }): void {
    const binding = this.#address?.channelBinding ?? 'disable'
    const isEncrypted = 'getPeerCertificate' in (this as unknown as Driven).connection.stream
    const binds = binding !== 'disable' && isEncrypted
    this.#isBound = binds && offersBinding(message.mechanisms)
    Object.assign(this, { enableChannelBinding: binds })
    if (!this.#refusesUnbound()) driver._handleAuthSASL.call(this, message)
  }

  /** Called by the driver. */
  _handleAuthCleartextPassword(message: unknown): void {
    if (!this.#refusesUnbound()) driver._handleAuthCleartextPassword.call(this, message)
  }

  /** Called by the driver. */
  _handleAuthMD5Password(message: unknown): void {
    if (!this.#refusesUnbound()) driver._handleAuthMD5Password.call(this, message)
  }

  /**
   * Called by the driver, which computes its proof beside everything else and then sends it on the connection that it has by then: for a slow
   * machine that may be the next host's.
   */
  _handleAuthSASLContinue(message: unknown): unknown {
    const { connection, saslSession, password } = this as unknown as Record<string, unknown>
    const fixed = Object.create(this, {
      connection: { value: connection },
      saslSession: { value: saslSession },
      password: { value: password },
    }) as object
    return driver._handleAuthSASLContinue.call(fixed, message)
  }

  #refusesUnbound(): boolean {
    if (this.#address?.channelBinding !== 'require' || this.#isBound) return false
    const { connection } = this as unknown as { connection: DriverConnection }
    connection.emit('error', new UnfitHost('unbound'))
    return true
  }

  /** PostgreSQL reports both settings when a session begins; a pooler may not, and is asked. */
  async #expectFit({ attributes }: DatabaseAddress, { reported, limitMs }: Fitness): Promise<void> {
    if (attributes === 'any') return
    let isStandby = reported.get('in_hot_standby')
    let isReadOnly = reported.get('default_transaction_read_only')
    if (isStandby === undefined || isReadOnly === undefined) {
      const text = `SELECT CASE WHEN pg_is_in_recovery() THEN 'on' ELSE 'off' END AS standby,
        current_setting('default_transaction_read_only') AS "readOnly"`
      const rows = await this.#ask<{ standby: string; readOnly: string }>(text, limitMs)
      ;[isStandby, isReadOnly] = [rows[0]?.standby, rows[0]?.readOnly]
    }
    if (attributes === 'standby') {
      if (isStandby !== 'on') throw new UnfitHost('primary')
      const rows = await this.#ask<{ since: string }>(runningSince, limitMs)
      this.runsSince = rows[0]?.since
      return
    }
    if (isStandby === 'on') throw new UnfitHost('standby')
    if (attributes === 'read-write' && isReadOnly === 'on') throw new UnfitHost('read-only')
  }

  async #ask<Row extends object>(text: string, limitMs: number): Promise<Row[]> {
    const answer = await answerWithin(limitMs, this.query<Row>(text))
    if (answer === null) throw new Error('timeout expired')
    return answer.rows
  }

  override end(): Promise<void>
  override end(done: (error: Error) => void): void
  override end(done?: (error: Error) => void): Promise<void> | void {
    const { stream } = (this as unknown as Driven).connection
    const closing = setTimeout(() => stream.destroy(), goodbyeMs).unref()
    stream.once('close', () => clearTimeout(closing))
    if (done === undefined) return super.end()
    super.end(done)
  }
}

/** Whether the host of a session is known not to be the primary any more. */
export function isOnReplaced(session: Driven): boolean {
  return memory.isReplaced(hostOf(session))
}

const runningSince = 'SELECT extract(epoch from pg_postmaster_start_time())::text AS since'

type Beginning = Host & { ssl: TlsOptions | false } & Pick<DatabaseAddress, 'keepAliveMs'>

/**
 * However the database is set: times are in UTC and in the one form that the driver reads. These settings alone travel with the opening of a session: poolers
 * know them and give each client its own (PgBouncer, `track_extra_parameters`), while they refuse those of limits.ts there.
 */
const startup: Startup = { TimeZone: 'UTC', DateStyle: 'ISO, MDY', standard_conforming_strings: 'on' }

type Fitness = { reported: ReadonlyMap<string, string>; limitMs: number }

function narrowed(
  address: DatabaseAddress,
  { seeksStandby, only }: { seeksStandby: boolean | undefined; only: Host | undefined },
): DatabaseAddress {
  const attributes = seeksStandby === undefined ? address.attributes : seeksStandby ? 'standby' : 'any'
  return { ...address, attributes, ...(only === undefined ? {} : { hosts: [only] }) }
}
