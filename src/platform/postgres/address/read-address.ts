import { isIP } from 'node:net'
import type { Environment } from '../../config/environment.ts'
import type { DatabaseAddress, Host } from './address.ts'
import { AddressError, notAnAddress, splitUri, type UriParts } from './split-uri.ts'
import { readParameters, type Parameters } from './parameters.ts'

const standardPort = 5432

/**
 * Reads the address of a database, a URI with libpq's names and values. Null for the two forms that only the driver knows, which are
 * left to it: `/folder database` and `socket:/folder?db=…`. Throws AddressError, which never repeats a password.
 */
export function readAddress(text: string, env: Environment = process.env): DatabaseAddress | null {
  if (/^(?:\/|socket:)/.test(text)) return null
  const parts = splitUri(text)
  const { host, hostaddr, port, user, password, dbname, ...rest } = readParameters(parts.parameters, env)
  return {
    hosts: hostsOf(parts, { host, hostaddr, port }, env),
    user: user ?? parts.user,
    password: password ?? parts.password,
    database: dbname ?? parts.database,
    ...rest,
  }
}

type HostParameters = Pick<Parameters, 'host' | 'hostaddr' | 'port'>

function hostsOf(parts: UriParts, { host, hostaddr, port }: HostParameters, env: Environment): Host[] {
  const addresses = hostaddr?.split(',') ?? []
  const named = host?.split(',') ?? parts.hosts.map((one) => one.host)
  const names = [named, addresses].find(({ length }) => length > 0) ?? (env['PGHOST'] ?? '').split(',')
  if (addresses.length > 0) expectAddresses(addresses, names.length)
  const ports = portsOf(parts, port, env)
  if (ports.length !== 1 && ports.length !== names.length)
    throw new AddressError(
      `expected one port, or one for each of the ${names.length} hosts, found ${ports.length}`,
    )
  return names.map((name, index) => {
    const address = addresses[index] ?? ''
    return {
      host: expectHost([name, address].find((one) => one !== '') ?? 'localhost'),
      port: readPort((ports.length === 1 ? ports[0] : ports[index]) ?? ''),
      ...(address !== '' && { address }),
    }
  })
}

function portsOf(parts: UriParts, port: string | undefined, env: Environment): string[] {
  const inPlace = parts.hosts.map((one) => one.port)
  return port?.split(',') ?? (inPlace.length === 0 ? [env['PGPORT'] ?? ''] : inPlace)
}

/** libpq's `@name` is a socket without a file. */
function expectHost(name: string): string {
  if (name.startsWith('@'))
    throw new AddressError('expected the folder of a socket, found a name in the abstract namespace')
  return name
}

function expectAddresses(addresses: readonly string[], names: number): void {
  if (addresses.length !== names)
    throw new AddressError(
      `expected one address in hostaddr for each of the ${names} hosts, found ${addresses.length}`,
    )
  if (addresses.some((address) => address !== '' && isIP(address) === 0))
    throw new AddressError('expected hostaddr to be addresses in numbers, found something else')
}

function readPort(text: string): number {
  if (text === '') return standardPort
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port < 1 || port > 65_535) throw notAnAddress('a port that is not a number from 1 to 65535')
  return port
}

/** The passwords in an address, as written and as meant, also of one that cannot be read: for masking them. */
export function passwordsIn(text: string): string[] {
  const written = [
    /^[a-z]+:\/\/[^/]*?:([^/]*)@/s.exec(text)?.[1],
    ...[...text.matchAll(/[?&](?:ssl)?password=([^&]*)/g)].map(([, value]) => value),
  ].filter((value) => value !== undefined)
  return [...new Set(written.flatMap((value) => [value, meant(value)]))]
}

function meant(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
