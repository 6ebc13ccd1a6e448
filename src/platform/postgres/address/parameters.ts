import type { Environment } from '../../config/environment.ts'
import type { DatabaseAddress } from './address.ts'
import { AddressError } from './split-uri.ts'
import { sslModes, type TlsSettings } from './tls.ts'

/** What the parameters behind the "?" say. */
export type Parameters = Pick<
  DatabaseAddress,
  | 'user'
  | 'password'
  | 'tls'
  | 'attributes'
  | 'isShuffled'
  | 'connectTimeoutMs'
  | 'applicationName'
  | 'options'
> & { host: string | undefined; port: string | undefined; dbname: string | undefined }

/** Variables that stand in for a parameter that is missing, as for libpq. Those of host, port and role are read elsewhere. */
const variables = new Map([
  ['sslmode', 'PGSSLMODE'],
  ['sslrootcert', 'PGSSLROOTCERT'],
  ['sslcert', 'PGSSLCERT'],
  ['sslkey', 'PGSSLKEY'],
  ['target_session_attrs', 'PGTARGETSESSIONATTRS'],
])

const read = [
  ...['host', 'port', 'user', 'password', 'dbname', ...variables.keys()],
  ...['connect_timeout', 'application_name', 'options', 'load_balance_hosts'],
]
/** Taken with the values that say what happens here anyway. */
const fixed = new Map<string, readonly string[]>([
  ['client_encoding', ['auto', 'UTF8', 'utf8', 'UTF-8', 'utf-8']],
  ['gssencmode', ['disable', 'prefer']],
  ['channel_binding', ['disable', 'prefer']],
  ['sslnegotiation', ['postgres']],
  // of the driver: that `sslmode` is libpq's
  ['uselibpqcompat', ['true']],
])
const attributes = ['any', 'read-write', 'primary'] as const
const balances = ['disable', 'random'] as const

export function readParameters(pairs: [string, string][], env: Environment): Parameters {
  const given = new Map(pairs.map(asLibpqSpells))
  for (const [name, value] of given) refuseUnread(name, value, pairs)
  const value = (name: string) => {
    const found = given.get(name) ?? env[variables.get(name) ?? '']
    return found === undefined || found === '' ? undefined : found
  }
  return {
    host: value('host'),
    port: value('port'),
    user: value('user'),
    password: value('password'),
    dbname: value('dbname'),
    tls: readTls(value),
    attributes: readAttributes(value('target_session_attrs')),
    isShuffled: oneOf('load_balance_hosts', balances, value('load_balance_hosts') ?? 'disable') === 'random',
    connectTimeoutMs: readTimeout(value('connect_timeout')),
    applicationName: value('application_name'),
    options: value('options'),
  }
}

/** `ssl=true` is how JDBC writes it; libpq takes it too. */
function asLibpqSpells([name, value]: [string, string]): [string, string] {
  return name === 'ssl' && value === 'true' ? ['sslmode', 'require'] : [name, value]
}

/** Nothing is read over: what has no effect might have been meant to protect. */
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
  throw new AddressError(`expected only the parameters ${read.join(', ')}, found another one${shown}`)
}

type Value = (name: string) => string | undefined

function readTls(value: Value): TlsSettings {
  const rootCert = value('sslrootcert') ?? null
  const usual = rootCert === 'system' ? 'verify-full' : 'prefer'
  const mode = oneOf('sslmode', sslModes, value('sslmode') ?? usual)
  expectAuthority(mode, rootCert)
  return { mode, rootCert, client: readClient(value('sslcert'), value('sslkey')) }
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

function readClient(cert: string | undefined, key: string | undefined): TlsSettings['client'] {
  if (cert === undefined && key === undefined) return null
  if (cert === undefined || key === undefined)
    throw new AddressError('expected both sslcert and sslkey, or neither, found one of them')
  return { cert, key }
}

function readAttributes(value = 'any'): DatabaseAddress['attributes'] {
  if (['read-only', 'standby', 'prefer-standby'].includes(value))
    throw new AddressError(
      `expected target_session_attrs to be one of ${attributes.join(', ')}, found "${value}": the service writes`,
    )
  return oneOf('target_session_attrs', attributes, value)
}

/** In seconds; less than two are two, none or less is no limit of its own, as for libpq. */
function readTimeout(value = '0'): number | null {
  if (!/^-?\d{1,6}$/.test(value))
    throw new AddressError('expected connect_timeout to be a whole number of seconds, found something else')
  const seconds = Number(value)
  return seconds <= 0 ? null : Math.max(2, seconds) * 1_000
}

function oneOf<Name extends string>(parameter: string, names: readonly Name[], value: string): Name {
  const found = names.find((name) => name === value)
  if (found !== undefined) return found
  // Longer ones are no slip of the pen, and are not repeated.
  const shown = /^[a-z-]{1,20}$/.test(value) ? `"${value}"` : 'something else'
  throw new AddressError(`expected ${parameter} to be one of ${names.join(', ')}, found ${shown}`)
}
