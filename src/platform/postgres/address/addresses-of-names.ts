import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Host } from './address.ts'

/** Resolves names to all of their addresses, as the machine itself does. */
type Resolve = (name: string) => Promise<string[]>

const resolveHere: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * A name with several addresses is several hosts, as for libpq: each may be dead, or not what is asked for. One that cannot be resolved, or not in time,
 * stays a name, and fails as such when its turn comes.
 */
export async function withAddresses(
  hosts: readonly Host[],
  { patienceMs, resolve = resolveHere }: { patienceMs: number; resolve?: Resolve },
): Promise<Host[]> {
  const isOver = new AbortController()
  const giveUp = sleep(patienceMs, [], { signal: isOver.signal, ref: false }).catch(() => [])
  const found = await Promise.all(
    hosts.map(async (host) => {
      if (!isName(host)) return [host]
      const addresses = new Set(await Promise.race([resolve(host.host).catch(() => []), giveUp]))
      return addresses.size < 2 ? [host] : [...addresses].map((address) => ({ ...host, address }))
    }),
  )
  isOver.abort()
  return found.flat()
}

const isName = ({ host, address }: Host) => address === undefined && !host.startsWith('/') && isIP(host) === 0
