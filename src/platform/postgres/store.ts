import { readFile } from 'node:fs/promises'
import type { ClientConfig, PoolConfig } from 'pg'
import { chooseAccount } from './embedded/account.ts'
import { noTlsSaying } from './address/tls.ts'
import { refusalOfTls } from './address/tls-refusals.ts'
import { serverRole } from './embedded/cluster.ts'
import { dataFolder, dataOwner, ownUserId, preparePlaces, stateFolder } from './embedded/places.ts'
import { serviceRole, storeDatabase } from './embedded/prepare-store.ts'
import { NoHost, nameOf, UnfitHost } from './address/find-host.ts'
import { AddressError } from './address/split-uri.ts'
import { judgeListening, judgePooler } from './pooler/judge-addresses.ts'
import { poolerRefusalCode, refusalOfPooler } from './pooler/refusal-of-pooler.ts'
import { keepRoleLimits } from './pooler/role-limits.ts'
import type { ServerPlan, StoreLog } from './server.ts'
import { openSession } from './session.ts'
import type { StoreConnection } from './store-connection.ts'
import { errorCode, StoreError } from './store-error.ts'
import { joinServer } from './embedded/usage.ts'

export type StoreConfig = {
  /** An external PostgreSQL, 15 or newer. Null: the embedded one. */
  databaseUrl: string | null
  /** How a pooler behind `databaseUrl` lends the server's sessions. Default: there is none, or for a whole session. */
  pooler?: 'transaction' | null
  /** Whether that pooler tracks the names of statements. Default: no. */
  tracksStatements?: boolean
  /** Where notifications of an external one are heard. Default: at `databaseUrl`, or nowhere through a pooler. */
  listenUrl?: string | null
  /** Where the embedded store lies. Null: a folder keyed by the checkout. */
  dataDir: string | null
  /** The `bin` folder of an installed PostgreSQL to run instead of the package's. */
  postgresBinDir: string | null
  /** The account the server runs under when this process is root. */
  postgresUser: string | null
  /** The root of the installed program: its package.json and node_modules. */
  checkoutDir: string
  /** False for throw-away data only. */
  fsync: boolean
  /** Where copied programs, and root's default data, lie. Default: the service's folder in the state tree. */
  stateDir?: string | null
}

export type Store = {
  kind: 'embedded' | 'external'
  /** As the service's own role; of an embedded store it owns the database and is no superuser. */
  connection: StoreConnection
  /** Where notifications are heard. Null: nowhere. */
  listening: ClientConfig | null
  /** Only with `embedded`: the server's superuser, for what the service's role may not do. */
  adminConnection?: PoolConfig
  /** Only with `embedded`. */
  dataDir?: string
  /** Releases the store; the last user of an embedded server stops it. Close the pools first. */
  close(): Promise<void>
}

const oldestMajor = 15

/**
 * Opens the store: an external PostgreSQL, or the embedded one, which is created, started or adopted as needed. Any number
 * of processes may do so at once. Throws StoreError with what the operator can do; also once `stopping` is aborted, while an external one keeps it waiting.
 */
export async function openStore(config: StoreConfig, log: StoreLog, stopping?: AbortSignal): Promise<Store> {
  const { databaseUrl, pooler, tracksStatements, listenUrl } = config
  if (databaseUrl === null) return openEmbedded(config, log)
  const connection: StoreConnection = {
    connectionString: databaseUrl,
    ...(pooler === 'transaction' ? { pooler, tracksStatements: tracksStatements === true } : {}),
  }
  const listening = typeof listenUrl === 'string' ? { connectionString: listenUrl } : null
  return openExternal({ connection, listening }, { log, stopping })
}

async function openEmbedded(config: StoreConfig, log: StoreLog): Promise<Store> {
  const plan = await planServer(config, log)
  const usage = await joinServer(plan, log)
  const { folder, port } = usage.server
  const connection = { host: folder, port, user: serviceRole, database: storeDatabase }
  let closed: Promise<void> | null = null
  return {
    kind: 'embedded',
    connection,
    listening: connection,
    adminConnection: { host: folder, port, user: serverRole, database: storeDatabase },
    dataDir: plan.places.dataDir,
    close: () => (closed ??= usage.leave()),
  }
}

async function planServer(config: StoreConfig, log: StoreLog): Promise<ServerPlan> {
  const ownUid = ownUserId()
  const dataDir = await dataFolder(config, ownUid)
  const account = chooseAccount({
    ownUid,
    configuredUser: config.postgresUser,
    dataOwner: await dataOwner(dataDir),
    passwd: ownUid === 0 ? await readFile('/etc/passwd', 'utf8') : '',
  })
  if (account?.name === 'nobody') {
    log.warn(
      'PostgreSQL runs as "nobody", which other programs may share; create an account and name it in POSTGRES_USER',
    )
  }
  const { postgresBinDir, checkoutDir, fsync } = config
  const stateDir = stateFolder(config.stateDir ?? null, ownUid)
  return {
    places: await preparePlaces(dataDir, account),
    account,
    checkoutDir,
    postgresBinDir,
    stateDir,
    fsync,
  }
}

type ExternalStore = { connection: StoreConnection; listening: ClientConfig | null }
type Beside = { log: StoreLog; stopping: AbortSignal | undefined }

async function openExternal({ connection, listening }: ExternalStore, beside: Beside): Promise<Store> {
  const { log, stopping } = beside
  const whileStarting = stopping === undefined ? {} : { signal: stopping }
  const asked: StoreConnection = { ...connection, ...whileStarting }
  const { major, isSuperuser, encoding, isEmpty } = await inWords('DATABASE_URL', () => askExternal(asked))
  if (major < oldestMajor) {
    throw new StoreError(
      'version_mismatch',
      `The server of DATABASE_URL is PostgreSQL ${major}; the oldest supported one is ${oldestMajor}.`,
    )
  }
  if (encoding !== 'UTF8') {
    const words = `the database has the encoding ${encoding}, which cannot hold every name; create it with ENCODING 'UTF8' TEMPLATE template0`
    if (isEmpty) throw new StoreError('not_ready', `DATABASE_URL: ${words}.`)
    log.warn(`${words}, and move the data there with backup and restore`)
  }
  if (isSuperuser) {
    log.warn('the role of DATABASE_URL is a superuser; give the service a role that only owns its database')
  }
  await inWords('DATABASE_URL', () => judgePooler(asked, log))
  const isPooled = connection.pooler === 'transaction'
  if (isPooled) await inWords('DATABASE_URL', () => keepRoleLimits(asked))
  if (listening !== null) {
    const heard = { ...listening, ...whileStarting }
    await inWords('DATABASE_LISTEN_URL', () => judgeListening(asked, heard))
  }
  return {
    kind: 'external',
    connection,
    listening: listening ?? (isPooled ? null : connection),
    close: () => Promise.resolve(),
  }
}

type External = { major: number; isSuperuser: boolean; encoding: string; isEmpty: boolean }
type Asked = {
  number: string
  superuser: string
  standby: boolean
  readOnly: string
  encoding: string
  isEmpty: boolean
}

async function askExternal(connection: StoreConnection): Promise<External> {
  const { client } = await openSession(connection, { applicationName: 'sbom-monitor start' })
  const { rows } = await client.query<Asked>(
    `SELECT current_setting('server_version_num') AS number, current_setting('is_superuser') AS superuser,
            pg_is_in_recovery() AS standby, current_setting('default_transaction_read_only') AS "readOnly",
            current_setting('server_encoding') AS encoding, to_regclass('schema_migration') IS NULL AS "isEmpty"`,
  )
  await client.end()
  const [said] = rows
  if (said === undefined) throw new Error('the server does not say what it is')
  if (said.standby) throw new StoreError('not_ready', `DATABASE_URL: ${standby}.`)
  if (said.readOnly === 'on') throw new StoreError('not_ready', `DATABASE_URL: ${readOnly}.`)
  const { number, superuser, encoding, isEmpty } = said
  return { major: Math.floor(Number(number) / 10_000), isSuperuser: superuser === 'on', encoding, isEmpty }
}

/** Why the address in a variable failed, in words for an operator. */
async function inWords<T>(variable: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof StoreError) throw cause
    throw new StoreError('not_ready', `${variable}: ${refusalInWords(cause)}.`, { cause })
  }
}

const standby =
  'the server is a standby, which accepts no writes; name the primary, or every host and target_session_attrs=read-write'
const readOnly =
  'the server, the database or the role is set to read only (default_transaction_read_only), and the service writes; switch that off'
const unreachable = 'its host cannot be reached; is it up, and is the network path to it open?'
const hungUp =
  'what listens there ends the connection; is it PostgreSQL, and does nothing on the way refuse it?'

const refusals = new Map([
  ['ENOTFOUND', 'the name of its host has no address; correct the host'],
  ['EAI_AGAIN', 'the name of its host cannot be resolved at the moment'],
  ['ECONNREFUSED', 'nothing listens there; start the server, or correct host and port'],
  ['EHOSTUNREACH', unreachable],
  ['ENETUNREACH', unreachable],
  ['EHOSTDOWN', unreachable],
  ['ETIMEDOUT', unreachable],
  ['ECONNRESET', hungUp],
  ['EACCES', 'this account may not open the socket; let it enter the folder'],
  ['42704', '"options" has a setting that the server does not know; correct it'],
  ['22023', '"options" gives a setting a value that it cannot have; correct it'],
  ['ENOENT', 'there is no such socket; start the server, or correct the folder'],
  ['28P01', 'the server knows no such role with this password; correct one of the two'],
  [
    '28000',
    'the server does not let this role in from here; allow it in pg_hba.conf, change sslmode, or name a certificate of the role in sslcert',
  ],
  ['3D000', 'the server has no such database; create it with CREATE DATABASE, owned by the role'],
  ['42501', 'the role may not connect to this database; GRANT CONNECT, or make it the owner'],
])

/** What the driver says itself, without a code. */
const sayings = new Map([
  [noTlsSaying, 'the server speaks no TLS; set ssl = on there, or change sslmode'],
  ['Connection terminated unexpectedly', hungUp],
  ['timeout expired', 'the server does not answer; is the network path to it open?'],
])

/** Never the words of the driver or the server where a code says as much: they may quote the address. */
function refusalInWords(cause: unknown): string {
  if (cause instanceof NoHost)
    return `no host accepts the session; ${cause.tried.map(({ host, error }) => `${nameOf(host)}: ${refusalInWords(error)}`).join('; ')}`
  if (cause instanceof UnfitHost)
    return cause.isOther ? `${cause.message}; name every host, the primary too` : cause.message
  if (cause instanceof AddressError) return cause.message
  const code = errorCode(cause)
  const message = cause instanceof Error ? cause.message : 'unknown error'
  const words =
    code === poolerRefusalCode
      ? refusalOfPooler(message)
      : (refusals.get(code ?? '') ??
        sayings.get(message) ??
        refusalOfTls(code, message) ??
        'the server takes no session')
  return `${words} (${code ?? message})`
}
