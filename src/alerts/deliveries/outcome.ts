import { destinationLimits } from '../../contract/alerts/shapes.ts'
import { SealError } from '../../platform/sealing/envelope.ts'
import { OutboundError, type OutboundFailure } from '../../platform/outbound/outbound-error.ts'
import { quoted } from '../../notices/messages/bounded.ts'

/** How a post ended. */
export type Outcome = { isSent: boolean; status: number | null; reason: string | null }

/** Any 2xx is success; of anything else the status and the beginning of the answer are kept. */
export function outcomeOfAnswer(status: number, body: Buffer): Outcome {
  if (isSuccess(status)) return { isSent: true, status, reason: null }
  const text = quoted(body.toString('utf8'), destinationLimits.answerCharacters)
  const words = status >= 300 && status < 400 ? ' (redirects are not followed)' : ''
  return { isSent: false, status, reason: `HTTP ${status}${words}${text === '' ? '' : `: ${text}`}` }
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

const sentences: Partial<Record<OutboundFailure, string>> = {
  timeout: 'no answer within 5 seconds',
  tls_failed: 'no secure connection: the host closed it, or its certificate or protocol was refused',
  connect_failed: 'no connection could be made to the host',
  broken_answer: 'the connection ended before the answer was complete, or the answer is not HTTP',
}

/** Our own sentences: nothing from a library, an address or a certificate. `isOurs`: not the peer's fault. */
export function outcomeOfError(error: unknown): Outcome & { isOurs: boolean } {
  const failed = { isSent: false, status: null }
  if (error instanceof OutboundError) {
    // what the receiver refused it with says more than how its answer ended
    if (error.arrived !== undefined && !isSuccess(error.arrived.status))
      return { ...outcomeOfAnswer(error.arrived.status, error.arrived.body), isOurs: false }
    return { ...failed, reason: sentences[error.code] ?? error.message, isOurs: false }
  }
  const reason =
    error instanceof SealError
      ? 'the service cannot read the stored URL: its encryption key is missing'
      : 'the service could not make this message'
  return { ...failed, reason, isOurs: true }
}
