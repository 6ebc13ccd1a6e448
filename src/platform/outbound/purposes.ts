const second = 1_000
const hour = 3_600 * second
const kilobyte = 1_024

export type Limits = {
  /** Resolution, connection, TLS, request and answer together. */
  totalMs: number
  /** Longest pause without progress; null: only the total counts. */
  stallMs: number | null
  maxBytes: number
  /** What happens at `maxBytes`: the answer is cut there, or refused. */
  overflow: 'cut' | 'refuse'
  /** Redirects that are followed, each checked like the first address. */
  redirects: number
  /** Whether the hosts an operator names as internal may be asked, also over plain http. */
  allowedHosts: boolean
}

/** What each kind of outbound request may cost and where it may go. */
export const purposes = {
  /** Messages to a customer's destination. */
  alert: {
    totalMs: 5 * second,
    stallMs: null,
    maxBytes: 32 * kilobyte,
    overflow: 'cut',
    redirects: 0,
    allowedHosts: false,
  },
  /** Issuer, discovery document and the addresses in it. */
  single_sign_on: {
    totalMs: 10 * second,
    stallMs: null,
    maxBytes: kilobyte ** 2,
    overflow: 'refuse',
    redirects: 0,
    allowedHosts: true,
  },
  /** The payment provider. */
  billing: {
    totalMs: 15 * second,
    stallMs: null,
    maxBytes: kilobyte ** 2,
    overflow: 'refuse',
    redirects: 0,
    allowedHosts: true,
  },
  /** The file at a customer's own address; redirects are judged by who asks. */
  security_txt: {
    totalMs: 5 * second,
    stallMs: null,
    maxBytes: 32 * kilobyte,
    overflow: 'cut',
    redirects: 0,
    allowedHosts: false,
  },
  /** Public data sets and their mirrors. */
  feed: {
    totalMs: 3 * hour,
    stallMs: 30 * second,
    maxBytes: 4 * kilobyte ** 3,
    overflow: 'refuse',
    redirects: 3,
    allowedHosts: true,
  },
} as const satisfies Record<string, Limits>

export type Purpose = keyof typeof purposes
