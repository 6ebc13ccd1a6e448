const second = 1_000
const hour = 3_600 * second
const kilobyte = 1_024

/** What an operator may allow internal origins for. Alerts and the files of customers are never among them. */
export const internalUses = ['sources', 'issuers', 'billing'] as const
export type InternalUse = (typeof internalUses)[number]

/** Origins that an operator names as internal, `https://host:port` as `URL.origin` spells them, by what may ask them. */
export type AllowedOrigins = Readonly<Partial<Record<InternalUse, readonly string[]>>>

export type Limits = {
  /** Resolution, connection, TLS, request and answer together. */
  totalMs: number
  /** Longest pause without progress; null: only the total counts. */
  stallMs: number | null
  /** Fewer bytes of an answer than these are no progress. */
  minBytes?: number
  maxBytes: number
  /** What happens at `maxBytes`: the answer is cut there, or refused. */
  overflow: 'cut' | 'refuse'
  /** Redirects that are followed, each checked like the first address. */
  redirects: number
  /** Which of the operator's internal origins may be asked, also over plain http where they say so; null: none. */
  internalUse: InternalUse | null
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
    internalUse: null,
  },
  /** Issuer, discovery document and the addresses in it. */
  single_sign_on: {
    totalMs: 10 * second,
    stallMs: null,
    maxBytes: kilobyte ** 2,
    overflow: 'refuse',
    redirects: 0,
    internalUse: 'issuers',
  },
  /** The payment provider. */
  billing: {
    totalMs: 15 * second,
    stallMs: null,
    maxBytes: kilobyte ** 2,
    overflow: 'refuse',
    redirects: 0,
    internalUse: 'billing',
  },
  /** The file at a customer's own address; redirects are judged by who asks. */
  security_txt: {
    totalMs: 5 * second,
    stallMs: null,
    maxBytes: 32 * kilobyte,
    overflow: 'cut',
    redirects: 0,
    internalUse: null,
  },
  /** Public data sets and their mirrors. */
  feed: {
    totalMs: 3 * hour,
    stallMs: 30 * second,
    minBytes: 128 * kilobyte,
    maxBytes: 4 * kilobyte ** 3,
    overflow: 'refuse',
    redirects: 3,
    internalUse: 'sources',
  },
} as const satisfies Record<string, Limits>

export type Purpose = keyof typeof purposes
