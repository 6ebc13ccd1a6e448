import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readAllowedHosts, readHosts, type AllowedHosts } from './allowed-hosts.ts'
import { readDatabaseUrl, readReadUrl } from './database-url.ts'
import { readCount, readPage, readPort, readSwitch, text, type Environment } from './environment.ts'
import { readLab, type LabSettings } from './lab-config.ts'
import { readMail, type MailCredentials, type MailServer } from './mail-config.ts'
import type { ObjectStoreKeys } from './aws-variables.ts'
import { readObjectStore, type Bucket } from './object-store.ts'
import { readPooler } from './pooler.ts'
import { parseKeys, type SealingKey } from '../sealing/key-ring.ts'
import { readStripe, type StripeKeys, type StripeConfig } from '../outbound/stripe-config.ts'
import { judgeTlsFiles, type TlsFiles } from './tls-files.ts'

/** What an operator sets, read once from the environment. Safe to log: secrets are in `Secrets`. */
export type Config = Readonly<{
  isProduction: boolean
  serviceName: string
  /** Without trailing slash. */
  baseUrl: string
  port: number
  host: string
  tls: TlsFiles | null
  trustProxy: TrustedProxies
  store: {
    dataDir: string | null
    postgresBinDir: string | null
    postgresUser: string | null
    isExternal: boolean
    /** A pooler behind DATABASE_URL lends the server's sessions for one transaction each. Null: there is none. */
    pooler: 'transaction' | null
    /** It tracks the names of statements. */
    tracksStatements: boolean
    /** The maximum number of sessions of the process itself; requests beyond it wait their turn. */
    poolSize: number
    /** The maximum number of sessions of the parser child for small files. */
    parserPoolSize: number
  }
  /** Where originals are kept. Null: in the database. */
  objectStore: Bucket | null
  /** A separate port for /metrics, without a token; null: none. */
  metricsPort: number | null
  /** null: the role's own. */
  logLevel: LogLevel | null
  /** Addresses by source, as far as the program was given sources. null: this source is off. */
  feeds: Readonly<Record<string, string | null>>
  feedsEveryMinutes: number
  outboundAllowedHosts: AllowedHosts
  /** Hosts of the chat products that alerts may be posted to; those of `chatB` with their subdomains. */
  chatHosts: { chatA: string[]; chatB: string[] }
  /** null: messages are kept and not sent. */
  mail: MailServer | null
  /** null: the operator sets plans. */
  stripe: StripeConfig | null
  signUp: {
    isOpen: boolean
    /** Pages of the operator's that sign-up names. */
    termsUrl: string | null
    privacyUrl: string | null
  }
  /** Pages below /operator, opened by links from the command line. */
  hasOperatorPages: boolean
  lab: LabSettings
  checkoutDir: string
}>

/** Whose `X-Forwarded-*` headers are believed: nobody's, those of so many proxies in front, or of these addresses and networks. */
export type TrustedProxies = false | number | string[]

export type Secrets = Readonly<{
  databaseUrl: string | null
  /** Where to listen for notifications. Null: at `databaseUrl`, or nowhere through a pooler. */
  databaseListenUrl: string | null
  /** A standby for reads that can wait. Null: everything is read at `databaseUrl`. */
  databaseReadUrl: string | null
  metricsToken: string | null
  /** The first one writes. Null: none is set. */
  encryptionKeys: SealingKey[] | null
  objectStoreKeys: ObjectStoreKeys | null
  mailCredentials: MailCredentials | null
  stripeKeys: StripeKeys | null
}>

const defaultChatHosts = { chatA: 'hooks.slack.com', chatB: 'logic.azure.com,api.powerplatform.com' }

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

/** A source of data with an address of its own: its name in `feeds`, its variable and the publisher's address. */
export type ConfiguredSource = { id: string; variable: string; address: string }

/** Thrown with every mistake at once, one line each. */
export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    super(['The configuration is not valid:', ...mistakes.map((mistake) => `  ${mistake}`)].join('\n'))
    this.name = 'ConfigError'
  }
}

/**
 * Reads and checks the environment and, where HTTP is served, the files that it needs. Throws `ConfigError` naming every variable that
 * is wrong.
 */
export function readConfig(
  env: Environment,
  { servesHttp = false, sources = [] }: { servesHttp?: boolean; sources?: readonly ConfiguredSource[] } = {},
): { config: Config; secrets: Secrets } {
  const mistakes: string[] = []
  const isProduction = env['NODE_ENV'] === 'production'
  const port = readPort(env, 'PORT', mistakes) ?? 3000
  const { databaseUrl, databaseListenUrl, databaseReadUrl, pooling } = readDatabases(env, mistakes)
  const mail = readMail(env, mistakes)
  const stripe = readStripe(env, mistakes)
  const feeds = readFeeds(env, { sources, mistakes })
  const encryptionKeys = readEncryptionKeys(env, mistakes)
  const canSeal = databaseUrl === null || encryptionKeys !== null
  const objects = readObjectStore(env, { canSeal, mistakes })
  const config: Config = {
    isProduction,
    serviceName: text(env['SERVICE_NAME']) ?? 'SBOM Monitor',
    baseUrl: readBaseUrl(env, { port, isProduction, mistakes }),
    port,
    host: readHost(env, mistakes) ?? (isProduction ? '0.0.0.0' : '127.0.0.1'),
    tls: readTls(env, { servesHttp, mistakes }),
    trustProxy: readTrustedProxies(env, mistakes),
    store: readStore(env, { isExternal: databaseUrl !== null, pooling, mistakes }),
    objectStore: objects.place,
    metricsPort: readMetricsPort(env, { port, mistakes }),
    logLevel: readLogLevel(env, mistakes),
    feeds,
    feedsEveryMinutes: readCount(env, 'FEEDS_EVERY_MINUTES', { from: 1, to: 1440, standard: 10, mistakes }),
    outboundAllowedHosts: readOutbound(env, { feeds, stripe: stripe.place, mistakes }),
    chatHosts: {
      chatA: readHosts('CHAT_A_HOSTS', text(env['CHAT_A_HOSTS']) ?? defaultChatHosts.chatA, mistakes),
      chatB: readHosts('CHAT_B_HOSTS', text(env['CHAT_B_HOSTS']) ?? defaultChatHosts.chatB, mistakes),
    },
    mail: mail.server,
    stripe: stripe.place,
    signUp: readSignUp(env, mistakes),
    hasOperatorPages: readSwitch(env, 'OPERATOR_PAGES', mistakes),
    lab: readLab(env, { isProduction, mistakes }),
    checkoutDir: resolve(fileURLToPath(import.meta.url), '../../../..'),
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  const metricsToken = text(env['METRICS_TOKEN'])
  return {
    config,
    secrets: {
      databaseUrl,
      databaseListenUrl,
      databaseReadUrl,
      metricsToken,
      encryptionKeys,
      objectStoreKeys: objects.keys,
      mailCredentials: mail.credentials,
      stripeKeys: stripe.keys,
    },
  }
}

type Store = Pick<Config['store'], 'isExternal'> & {
  pooling: Pick<Config['store'], 'pooler' | 'tracksStatements'>
  mistakes: string[]
}

function readStore(env: Environment, { isExternal, pooling, mistakes }: Store): Config['store'] {
  return {
    dataDir: text(env['DATA_DIR']),
    postgresBinDir: text(env['POSTGRES_BIN_DIR']),
    postgresUser: text(env['POSTGRES_USER']),
    isExternal,
    ...pooling,
    poolSize: readCount(env, 'DATABASE_POOL_SIZE', { from: 3, to: 200, standard: 10, mistakes }),
    parserPoolSize: readCount(env, 'PARSER_DATABASE_POOL_SIZE', { from: 1, to: 8, standard: 8, mistakes }),
  }
}

function readDatabases(env: Environment, mistakes: string[]) {
  const databaseUrl = readDatabaseUrl(env, 'DATABASE_URL', mistakes)
  const { listenUrl: databaseListenUrl, ...pooling } = readPooler(env, databaseUrl, mistakes)
  const databaseReadUrl = readReadUrl(env, databaseUrl, mistakes)
  return { databaseUrl, databaseListenUrl, databaseReadUrl, pooling }
}

type Outward = { feeds: Config['feeds']; stripe: StripeConfig | null; mistakes: string[] }

function readOutbound(env: Environment, { feeds, stripe, mistakes }: Outward): AllowedHosts {
  const own = {
    sources: Object.values(feeds).filter((address) => address !== null),
    billing: stripe === null ? [] : [stripe.apiUrl],
  }
  return readAllowedHosts(env['OUTBOUND_ALLOWED_HOSTS'] ?? '', own, mistakes)
}

function readSignUp(env: Environment, mistakes: string[]): Config['signUp'] {
  const value = text(env['SIGN_UP']) ?? 'open'
  if (value !== 'open' && value !== 'closed') {
    mistakes.push(`SIGN_UP: expected open or closed, found "${value}"`)
  }
  return {
    isOpen: value === 'open',
    termsUrl: readPage(env, 'TERMS_URL', mistakes),
    privacyUrl: readPage(env, 'PRIVACY_URL', mistakes),
  }
}

function readEncryptionKeys(env: Environment, mistakes: string[]): SealingKey[] | null {
  const value = text(env['ENCRYPTION_KEYS'])
  if (value === null) return null
  try {
    return parseKeys(value)
  } catch (error) {
    mistakes.push(`ENCRYPTION_KEYS: ${error instanceof Error ? error.message : String(error)}`)
    return null
  }
}

/** Brackets belong to an address of version 6 in a URL; a name with them has no address. */
function readHost(env: Environment, mistakes: string[]): string | null {
  const value = text(env['HOST'])
  if (value !== null && /^\[.*\]$/.test(value))
    mistakes.push(`HOST: expected an address without brackets, such as ::1, found "${value}"`)
  return value
}

/** `true` is refused: it would believe whatever address a client claims to have. */
function readTrustedProxies(env: Environment, mistakes: string[]): TrustedProxies {
  const value = text(env['TRUST_PROXY'])
  if (value === null || value === 'false' || value === '0') return false
  if (/^[1-9]$/.test(value)) return Number(value)
  const networks = value.split(',').map((network) => network.trim())
  if (networks.every(isNetwork)) return networks
  mistakes.push(
    'TRUST_PROXY: expected false, the number of proxies in front (1 for one), or their addresses or networks separated by ' +
      `commas (127.0.0.1, 10.0.0.0/8), found "${value}"`,
  )
  return false
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
}

type Judgement = { isProduction: boolean; mistakes: string[] }

/** Every address in published documents derives from it, so production wants https. */
function readBaseUrl(
  env: Environment,
  { port, isProduction, mistakes }: Judgement & { port: number },
): string {
  const value = text(env['BASE_URL']) ?? `http://localhost:${port}`
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    mistakes.push(`BASE_URL: expected an http or https address, found "${value}"`)
    return value
  }
  if (isProduction && url.protocol !== 'https:') {
    mistakes.push('BASE_URL: expected an https:// address because NODE_ENV is production')
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '') {
    mistakes.push('BASE_URL: expected an address without query, fragment or user name')
  }
  return value.replace(/\/+$/, '')
}

function readTls(
  env: Environment,
  { servesHttp, mistakes }: { servesHttp: boolean; mistakes: string[] },
): Config['tls'] {
  const certFile = text(env['TLS_CERT'])
  const keyFile = text(env['TLS_KEY'])
  if (certFile !== null && keyFile !== null) {
    if (servesHttp) mistakes.push(...judgeTlsFiles({ certFile, keyFile }))
    return { certFile, keyFile }
  }
  if (certFile !== null || keyFile !== null) mistakes.push('TLS_CERT, TLS_KEY: expected both or neither')
  return null
}

function readMetricsPort(
  env: Environment,
  { port, mistakes }: { port: number; mistakes: string[] },
): number | null {
  const metricsPort = readPort(env, 'METRICS_PORT', mistakes)
  if (metricsPort !== null && metricsPort === port && port !== 0)
    mistakes.push(`METRICS_PORT: expected another port than PORT, found "${port}"`)
  return metricsPort
}

function readLogLevel(env: Environment, mistakes: string[]): LogLevel | null {
  const value = text(env['LOG_LEVEL'])
  if (value === null) return null
  const level = logLevels.find((name) => name === value)
  if (level === undefined)
    mistakes.push(`LOG_LEVEL: expected one of ${logLevels.join(', ')}; found "${value}"`)
  return level ?? null
}

function readFeeds(
  env: Environment,
  { sources, mistakes }: { sources: readonly ConfiguredSource[]; mistakes: string[] },
): Record<string, string | null> {
  const feeds: Record<string, string | null> = {}
  for (const { id, variable, address } of sources) {
    const value = text(env[variable]) ?? address
    if (value === 'off') feeds[id] = null
    else if (URL.canParse(value) && /^https?:/.test(value)) feeds[id] = value.replace(/\/+$/, '')
    else mistakes.push(`${variable}: expected an http or https address or "off", found "${value}"`)
  }
  return feeds
}
