import type { Environment } from '../../config/environment.ts'
import type { DatabaseAddress } from './address.ts'
import { channelBindings } from './channel-binding.ts'
import { AddressError } from './split-uri.ts'
import { sslModes, tlsVersions, type TlsSettings } from './tls.ts'

/** What the parameters behind the "?" say. */
export type Parameters = Pick<
  DatabaseAddress,
  | 'user'
  | 'password'
  | 'passFile'
  | 'tls'
  | 'channelBinding'
  | 'attributes'
  | 'isShuffled'
  | 'connectTimeoutMs'
  | 'keepAliveMs'
  | 'applicationName'
  | 'options'
> &
  Record<'host' | 'hostaddr' | 'port' | 'dbname', string | undefined>

/** Variables that stand in for a parameter that is missing, as for libpq. Those of host, port and role are read elsewhere. */
const variables = new Map([
  ['hostaddr', 'PGHOSTADDR'],
  ['channel_binding', 'PGCHANNELBINDING'],
  ['passfile', 'PGPASSFILE'],
  ['connect_timeout', 'PGCONNECT_TIMEOUT'],
  ['load_balance_hosts', 'PGLOADBALANCEHOSTS'],
  ['ssl_min_protocol_version', 'PGSSLMINPROTOCOLVERSION'],
  ['sslmode', 'PGSSLMODE'],
  ['sslrootcert', 'PGSSLROOTCERT'],
  ['sslcert', 'PGSSLCERT'],
  ['sslkey', 'PGSSLKEY'],
  ['target_session_attrs', 'PGTARGETSESSIONATTRS'],
])

const read = [
  ...['host', 'port', 'user', 'password', 'dbname', ...variables.keys()],
  ...['sslpassword', 'application_name', 'options', 'keepalives', 'keepalives_idle'],
]
/** Accepted only with the values that describe what happens here anyway. */
const fixed = new Map<string, readonly string[]>([
  ['client_encoding', ['auto', 'UTF8', 'utf8', 'UTF-8', 'utf-8']],
  ['gssencmode', ['disable', 'prefer']],
  ['sslnegotiation', ['postgres']],
  ['sslcompression', ['0']],
  ['sslsni', ['1']],
  ['sslcertmode', ['allow']],
  // of the driver: that `sslmode` is libpq's
  ['uselibpqcompat', ['true']],
])
/** What to do instead of what is not read. */
const instead = new Map([
  ['service', 'write what it says into the address'],
  ...['tcp_user_timeout', 'keepalives_interval', 'keepalives_count'].map(
    (name) => [name, 'a server that falls silent is noticed within seconds without it'] as const,
  ),
])
/** They say which server is meant, or how it has to prove itself; libpq would heed them, so they are never silently ignored. */
const unreadVariables = new Map([
  ['PGSERVICE', 'service'],
  ...['PGSSLCRL', 'PGSSLCRLDIR', 'PGREQUIREPEER', 'PGREQUIREAUTH', 'PGSSLMAXPROTOCOLVERSION'].map(
    (name) => [name, ''] as const,
  ),
])
const attributes = ['any', 'read-write', 'primary'] as const
const balances = ['disable', 'random'] as const

export function readParameters(pairs: [string, string][], env: Environment): Parameters {
  const given = new Map(pairs.map(asLibpqSpells))
  for (const [name, value] of given) refuseUnread(name, value, pairs)
  refuseUnreadVariables(env)
  const value = (name: string) => {
    const found = given.get(name) ?? env[variables.get(name) ?? '']
    return found === undefined || found === '' ? undefined : found
  }
  return {
    host: value('host'),
    hostaddr: value('hostaddr'),
    port: value('port'),
    user: value('user'),
    password: value('password'),
    passFile: value('passfile'),
    dbname: value('dbname'),
    tls: readTls(value),
    channelBinding: oneOf('channel_binding', channelBindings, value('channel_binding') ?? 'prefer'),
    attributes: readAttributes(value('target_session_attrs')),
    isShuffled: oneOf('load_balance_hosts', balances, value('load_balance_hosts') ?? 'disable') === 'random',
    connectTimeoutMs: readTimeout(value('connect_timeout')),
    keepAliveMs: readKeepAlive(value),
    applicationName: value('application_name'),
    options: value('options'),
  }
}

/** `ssl=true` is how JDBC writes it; libpq takes it too. */
function asLibpqSpells([name, value]: [string, string]): [string, string] {
  return name === 'ssl' && value === 'true' ? ['sslmode', 'require'] : [name, value]
}

/** Nothing is ignored: a setting without effect might have been meant to protect. */
function refuseUnread(name: string, value: string, pairs: [string, string][]): void {
  // The program names its sessions itself.
  if (read.includes(name) || name === 'fallback_application_name') return
  const values = fixed.get(name)
  if (values !== undefined) {
    oneOf(name, values, value)
    return
  }
  // A password with an unencoded "?" looks like this; it is not repeated.
  const isPlain = /^[a-z_]+$/.test(name) && !pairs.some((pair) => pair.join('').includes('@'))
  const shown = isPlain ? ` "${name}"` : ''
  const advice = instead.has(name) ? `; ${instead.get(name)}` : ''
  throw new AddressError(
    `expected only the parameters ${read.join(', ')}, found another one${shown}${advice}`,
  )
}

function refuseUnreadVariables(env: Environment): void {
  for (const [name, parameter] of unreadVariables) {
    if ((env[name] ?? '') === '') continue
    const advice = instead.get(parameter) ?? 'what it asks for is not done here'
    throw new AddressError(`expected no variable ${name}, found it set: ${advice}, and unset it`)
  }
}

type Value = (name: string) => string | undefined

function readTls(value: Value): TlsSettings {
  const rootCert = value('sslrootcert') ?? null
  const usual = rootCert === 'system' ? 'verify-full' : 'prefer'
  const mode = oneOf('sslmode', sslModes, value('sslmode') ?? usual)
  expectAuthority(mode, rootCert)
  const oldest = value('ssl_min_protocol_version') ?? 'TLSv1.2'
  return {
    mode,
    rootCert,
    minVersion: oneOf('ssl_min_protocol_version', tlsVersions, oldest),
    client: readClient(value),
  }
}

function expectAuthority(mode: TlsSettings['mode'], rootCert: string | null): void {
  if (rootCert === 'system' && mode !== 'verify-full')
    throw new AddressError(
      `expected sslmode=verify-full with sslrootcert=system, found "${mode}": anybody can have a certificate of a public authority`,
    )
  if (mode === 'verify-ca' && rootCert === null)
    throw new AddressError(
      'expected sslrootcert with sslmode=verify-ca: the file of the authority, found none',
    )
}

function readClient(value: Value): TlsSettings['client'] {
  const [cert, key, passphrase = null] = [value('sslcert'), value('sslkey'), value('sslpassword')]
  if (cert === undefined && key === undefined) return null
  if (cert === undefined || key === undefined)
    throw new AddressError('expected both sslcert and sslkey, or neither, found one of them')
  return { cert, key, passphrase }
}

function readAttributes(value = 'any'): DatabaseAddress['attributes'] {
  if (['read-only', 'standby', 'prefer-standby'].includes(value))
    throw new AddressError(
      `expected target_session_attrs to be one of ${attributes.join(', ')}, found "${value}": the service writes`,
    )
  return oneOf('target_session_attrs', attributes, value)
}

/** In seconds; below two counts as two, zero or less is no limit of its own, as for libpq. */
function readTimeout(value = '0'): number | null {
  if (!/^-?\d{1,6}$/.test(value))
    throw new AddressError('expected connect_timeout to be a whole number of seconds, found something else')
  const seconds = Number(value)
  return seconds <= 0 ? null : Math.max(2, seconds) * 1_000
}

/** libpq's words: `keepalives=0` switches them off, `keepalives_idle` is in seconds. */
function readKeepAlive(value: Value): DatabaseAddress['keepAliveMs'] {
  const idle = value('keepalives_idle') ?? '0'
  if (!/^\d{1,6}$/.test(idle))
    throw new AddressError('expected keepalives_idle to be a whole number of seconds, found something else')
  if (oneOf('keepalives', ['0', '1'] as const, value('keepalives') ?? '1') === '0') return null
  return idle === '0' ? undefined : Number(idle) * 1_000
}

function oneOf<Name extends string>(parameter: string, names: readonly Name[], value: string): Name {
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  // Longer ones are no typing error, and are not repeated.
  const shown = /^[a-z-]{1,20}$/.test(value) ? `"${value}"` : 'something else'
  throw new AddressError(`expected ${parameter} to be one of ${names.join(', ')}, found ${shown}`)
}
