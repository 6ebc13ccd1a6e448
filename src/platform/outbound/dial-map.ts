import { isIP } from 'node:net'
import { normalAddress } from './address.ts'

export type Endpoint = { address: string; port: number }

/** From `address:port` as resolved and checked to where the connection really goes. */
export type DialMap = ReadonlyMap<string, Endpoint>

/**
 * Reads a lab's dial map: `"public-ip:port"` → `"ip:port"` (IPv6 in brackets). Throws an `Error` that names the entry which is
 * not of that form.
 */
export function parseDialMap(entries: Readonly<Record<string, string>>): DialMap {
  return new Map(
    Object.entries(entries).map(([from, to]) => [endpointKey(parseEndpoint(from)), parseEndpoint(to)]),
  )
}

export function endpointKey(endpoint: Endpoint): string {
  return `${normalAddress(endpoint.address)} ${endpoint.port}`
}

function parseEndpoint(text: string): Endpoint {
  const colon = text.lastIndexOf(':')
  const address = text.slice(0, colon).replace('[', '').replace(']', '')
  const port = Number(text.slice(colon + 1))
  if (isIP(address) === 0 || !Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`expected "ip:port", found "${text}"`)
  }
  return { address, port }
}
