/** One sentence per way an outbound request fails; none of them names an address or quotes a library. */
const sentences = {
  url_refused: 'the address is not an https URL',
  address_refused: 'host resolves to a private or reserved address',
  name_not_found: 'the host name cannot be resolved',
  connect_failed: 'no connection could be made to the host',
  tls_failed: 'no secure connection could be made to the host: its certificate or protocol was refused',
  timeout: 'the host did not answer in time',
  too_large: 'the answer is larger than allowed',
  redirect_refused: 'the answer redirects more often than allowed, or to nowhere',
  broken_answer: 'the connection ended before the answer was complete, or the answer is not HTTP',
} as const

export type OutboundFailure = keyof typeof sentences

/** What had arrived of an answer when its request failed. */
export type PartOfAnswer = { status: number; body: Buffer }

/** An outbound request that failed. The message may be shown; `cause` is for the log. */
export class OutboundError extends Error {
  readonly code: OutboundFailure
  /** Only of a request for a small answer that had begun to arrive. */
  readonly arrived: PartOfAnswer | undefined

  constructor(code: OutboundFailure, cause?: unknown, arrived?: PartOfAnswer) {
    super(sentences[code], cause === undefined ? undefined : { cause })
    this.name = 'OutboundError'
    this.code = code
    this.arrived = arrived
  }
}
