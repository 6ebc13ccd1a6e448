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
  return isIP(address) === 6 ? firstBits(address, 64) : address
}

/**
 * The 48 bits of IPv6 that one customer can be given (RFC 6177), which are 65 536 such networks; an IPv4 address. What is counted by network is
 * counted by site as well, with a limit `siteFactor` times as high: several customers may share it.
 */
export function siteOf(address: string): string {
  return isIP(address) === 6 ? firstBits(address, 48) : address
}

export const siteFactor = 10

function firstBits(address: string, bits: number): string {
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, bits / 16)
  return `${parts.map((part) => part.toString(16)).join(':')}::/${bits}`
}
