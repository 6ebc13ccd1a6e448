import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One cloud's wire server: inside public space, reachable only from the machine itself. */
const privateDespiteUnicast = new Set(['168.63.129.16'])

/** IPv6 space that is assigned to networks; everything else is special, local or unassigned (IANA IPv6 address space). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** IETF protocol assignments: Teredo, benchmarking, ORCHID and the like (RFC 2928). */
const protocolAssignments = ipaddr.IPv6.parseCIDR('2001::/23')

/**
 * Whether an address is one of the open internet. IPv4: plain unicast. IPv6: inside 2000::/3, plain unicast and
 * outside 2001::/23, so that every mapped and translated form is refused. What cannot be parsed is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address))
    return ipaddr.IPv4.parse(address).range() === 'unicast' && !privateDespiteUnicast.has(address)
  if (!isIPv6(address) || address.includes('%')) return false
  const parsed = ipaddr.IPv6.parse(address)
  return parsed.match(globalUnicast) && parsed.range() === 'unicast' && !parsed.match(protocolAssignments)
}

/** Whether an address is the machine itself. */
export function isLoopbackAddress(address: string): boolean {
  if (isIPv4(address)) return ipaddr.IPv4.parse(address).range() === 'loopback'
  return isIPv6(address) && ipaddr.IPv6.parse(address).range() === 'loopback'
}

/** One spelling for each address, so that two spellings of it compare equal. */
export function normalAddress(address: string): string {
  return isIPv6(address) ? ipaddr.IPv6.parse(address).toNormalizedString() : address
}
