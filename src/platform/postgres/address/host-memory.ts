import type { DatabaseAddress, Host } from './address.ts'
import type { Encryption, TlsSettings } from './tls.ts'

/** Long enough that a pool does not ask a dead host once for each of its sessions, short enough that one that is back is found. */
const rememberMs = 60_000

type Seen<What> = { what: What; at: number }

/** What a process has lately seen of hosts. It decides the order in which they are tried, never whether. */
export class HostMemory {
  readonly #hosts = new Map<string, Seen<'good' | 'failed' | 'silent' | 'replaced'>>()
  /** What was taken after the other was refused, by mode: what another address allows says nothing about this one. */
  readonly #otherwise = new Map<string, Seen<Encryption>>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  answered(host: Host): void {
    this.#hosts.set(keyOf(host), { what: 'good', at: this.#now() })
  }

  failed(host: Host, { isLate }: { isLate: boolean }): void {
    if (this.isReplaced(host)) return
    this.#hosts.set(keyOf(host), { what: isLate ? 'silent' : 'failed', at: this.#now() })
  }

  /** Another one has become the primary in its place. */
  replaced(host: Host): void {
    this.#hosts.set(keyOf(host), { what: 'replaced', at: this.#now() })
  }

  /** Until it answers again: then no other one did. */
  isReplaced(host: Host): boolean {
    return this.#hosts.get(keyOf(host))?.what === 'replaced'
  }

  /** First what answered last, then in the order of the address, what has failed lately, what kept others waiting, and at the end what was replaced. */
  inOrder({ hosts, isShuffled }: Pick<DatabaseAddress, 'hosts' | 'isShuffled'>): Host[] {
    const inTurn = isShuffled ? shuffled(hosts) : hosts
    const rank = (host: Host) => {
      if (this.isReplaced(host)) return 3
      const seen = this.#recent(this.#hosts.get(keyOf(host)))
      if (seen === null) return 0
      if (seen.what !== 'good') return seen.what === 'failed' ? 1 : 2
      // A shuffled address should get another host each time.
      return isShuffled ? 0 : -seen.at
    }
    return inTurn.toSorted((a, b) => rank(a) - rank(b))
  }

  /** The server accepted this way what it had refused the other way. */
  takenOtherwise(host: Host, mode: TlsSettings['mode'], encryption: Encryption): void {
    this.#otherwise.set(`${mode} ${keyOf(host)}`, { what: encryption, at: this.#now() })
  }

  /** A server without TLS is not asked for it each time, but again after a while. */
  encryptionsFirst(host: Host, mode: TlsSettings['mode'], encryptions: readonly Encryption[]): Encryption[] {
    const last = this.#recent(this.#otherwise.get(`${mode} ${keyOf(host)}`))?.what
    return encryptions.toSorted((a, b) => Number(b === last) - Number(a === last))
  }

  #recent<What>(seen: Seen<What> | undefined): Seen<What> | null {
    return seen === undefined || this.#now() - seen.at > rememberMs ? null : seen
  }
}

const keyOf = ({ host, port, address = '' }: Host) => `${host} ${port} ${address}`

function shuffled(hosts: readonly Host[]): Host[] {
  return hosts
    .map((host) => ({ host, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ host }) => host)
}
