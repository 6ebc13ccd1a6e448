import { isIP } from 'node:net'
import { normalAddress } from './address.ts'

export type Endpoint = { address: string; port: number }

/** From `address:port` as resolved and checked to where the connection really goes. */
export type DialMap = ReadonlyMap<string, Endpoint>

/**
 * Reads a lab's dial map: a JSON object of `"public-ip:port"` → `"ip:port"` (IPv6 in brackets).
 * Throws an `Error` that names the entry which is not of that form.
 */
export function parseDialMap(json: string): DialMap {
  const value: unknown = JSON.parse(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('expected a JSON object')
  const map = new Map<string, Endpoint>()
  for (const [from, to] of Object.entries(value)) {
    map.set(endpointKey(parseEndpoint(from)), parseEndpoint(String(to)))
  }
  return map
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
