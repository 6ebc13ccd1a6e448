import type { DatabaseAddress, Host } from './address.ts'
import type { Encryption } from './tls.ts'

/** Long enough that a pool does not ask a dead host once for each of its sessions, short enough that one that is back is found. */
const rememberMs = 60_000

type Seen = { state: 'good' | 'failed' | 'silent'; encryption: Encryption | null; at: number }

/** What a process has seen of hosts lately. It decides in which order they are tried, never whether. */
export class HostMemory {
  readonly #seen = new Map<string, Seen>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  answered(host: Host, encryption: Encryption): void {
    this.#seen.set(keyOf(host), { state: 'good', encryption, at: this.#now() })
  }

  failed(host: Host, { isLate }: { isLate: boolean }): void {
    const encryption = this.#recall(host)?.encryption ?? null
    this.#seen.set(keyOf(host), { state: isLate ? 'silent' : 'failed', encryption, at: this.#now() })
  }

  /** First what answered last, then in the order of the address, then what has failed lately, and at the end what kept others waiting. */
  inOrder({ hosts, isShuffled }: Pick<DatabaseAddress, 'hosts' | 'isShuffled'>): Host[] {
    const inTurn = isShuffled ? shuffled(hosts) : hosts
    const rank = (host: Host) => {
      const seen = this.#recall(host)
      if (seen === null) return 0
      if (seen.state !== 'good') return seen.state === 'failed' ? 1 : 2
      // Whoever shuffles wants another one each time.
      return isShuffled ? 0 : -seen.at
    }
    return inTurn.toSorted((a, b) => rank(a) - rank(b))
  }

  /** A server without TLS is not asked for it again each time. */
  encryptionsFirst(host: Host, encryptions: readonly Encryption[]): Encryption[] {
    const last = this.#recall(host)?.encryption ?? null
    return encryptions.toSorted((a, b) => Number(b === last) - Number(a === last))
  }

  #recall(host: Host): Seen | null {
    const seen = this.#seen.get(keyOf(host))
    return seen === undefined || this.#now() - seen.at > rememberMs ? null : seen
  }
}

const keyOf = ({ host, port }: Host) => `${host} ${port}`

function shuffled(hosts: readonly Host[]): Host[] {
  return hosts
    .map((host) => ({ host, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ host }) => host)
}
