import { getServers, promises as dns } from 'node:dns'
import { OutboundError } from './outbound-error.ts'

/** All addresses of a host name. Refuses with `name_not_found`. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<string[]>

/**
 * Names to addresses by DNS alone, through the given server (`host:port`) or the system's: neither the hosts file nor
 * search domains take part, and hanging look-ups occupy no thread.
 */
export function createResolver(server: string | null): ResolveHost {
  return async (host, signal) => {
    const resolver = new dns.Resolver()
    resolver.setServers(server === null ? getServers() : [server])
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length === 0) throw new OutboundError('name_not_found')
      return addresses
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

/** Names as the machine itself knows them, hosts file included: for addresses an operator typed. */
export const resolveAsSystem: ResolveHost = async (host) => {
  try {
    return (await dns.lookup(host, { all: true })).map((answer) => answer.address)
  } catch (cause) {
    throw new OutboundError('name_not_found', cause)
  }
}
