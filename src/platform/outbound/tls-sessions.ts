/** Afterwards the certificate is checked again, whatever the host would resume. */
const maxMs = 10 * 60_000
const maxHosts = 1_000

type Kept = { session: Buffer; untilMs: number }

/**
 * TLS sessions of hosts whose certificate was found good, so that the next connection to one is made without its most expensive part (RFC
 * 8446, 2.2). A host that no longer knows a session, because its certificate has changed, starts a new one.
 */
export class TlsSessions {
  readonly #kept = new Map<string, Kept>()

  /** By `host:port` of the URL; `nowMs` on any clock that only goes forward. */
  find(endpoint: string, nowMs: number): Buffer | undefined {
    const kept = this.#kept.get(endpoint)
    if (kept !== undefined && kept.untilMs > nowMs) return kept.session
    this.#kept.delete(endpoint)
    return undefined
  }

  /** Later sessions of a host expire with its first: only a new check of the certificate extends them. */
  keep(endpoint: string, session: Buffer, { isResumed, nowMs }: { isResumed: boolean; nowMs: number }): void {
    const known = this.#kept.get(endpoint)
    if (isResumed && known === undefined) return
    const untilMs = isResumed && known !== undefined ? known.untilMs : nowMs + maxMs
    this.#kept.delete(endpoint)
    this.#kept.set(endpoint, { session, untilMs })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > maxHosts && oldest !== undefined) this.#kept.delete(oldest)
  }
}
