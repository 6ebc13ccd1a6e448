import { getServers, promises as dns } from 'node:dns'
import { OutboundError } from './outbound-error.ts'

/** All addresses of a host name. Refuses with `name_not_found`. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<string[]>

/** How long addresses of one kind wait for those of the other: some servers never answer questions for IPv6. */
const otherKindMs = 1_000

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
    let patience: NodeJS.Timeout | undefined
    const found = async (answer: Promise<string[]>) => {
      const addresses = await answer.catch(() => [])
      if (addresses.length > 0) patience ??= setTimeout(cancel, otherKindMs)
      return addresses
    }
    try {
      const answers = await Promise.all([found(resolver.resolve4(host)), found(resolver.resolve6(host))])
      const addresses = answers.flat()
      if (addresses.length === 0) throw new OutboundError('name_not_found')
      return addresses
    } finally {
      clearTimeout(patience)
      signal.removeEventListener('abort', cancel)
    }
  }
}

/** The TXT records of a name, each whole; none: there is no such record. */
export type ResolveText = (name: string) => Promise<string[]>

const textMs = 5_000

/** TXT records by DNS, through the given server (`host:port`) or the system's. */
export function createTextResolver(server: string | null): ResolveText {
  return async (name) => {
    const resolver = new dns.Resolver({ timeout: textMs, tries: 1 })
    resolver.setServers(server === null ? getServers() : [server])
    try {
      return (await resolver.resolveTxt(name)).slice(0, 50).map((parts) => parts.join(''))
    } catch (cause) {
      if (isNothingThere(cause)) return []
      throw new OutboundError('name_not_found', cause)
    }
  }
}

function isNothingThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
}

/** Names as the machine itself knows them, hosts file included: for addresses an operator typed. */
export const resolveAsSystem: ResolveHost = async (host) => {
  try {
    return (await dns.lookup(host, { all: true })).map((answer) => answer.address)
  } catch (cause) {
    throw new OutboundError('name_not_found', cause)
  }
}
