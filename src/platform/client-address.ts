import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** `192.0.2.7:5102`, `[2001:db8::7]:5102`: some proxies name the port too. */
const withPort = /^(?:\[(?<six>[^\]]+)\]|(?<four>\d+\.\d+\.\d+\.\d+))(?::\d{1,5})?$/

/** One spelling of an IP address: IPv4 mapped into IPv6 is IPv4, IPv6 is short, zones are left out. Undefined for anything else. */
export function canonicalAddress(text: string | undefined): string | undefined {
  const { six, four } = withPort.exec(text ?? '')?.groups ?? {}
  const address = (six ?? four ?? text ?? '').split('%', 1)[0] ?? ''
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}

/** What a limit per address counts as one client: an IPv4 address, or the 64 bits of IPv6 that a customer is given at least. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address
  return `${ipaddr.IPv6.parse(address)
    .parts.slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
