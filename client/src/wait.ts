import { readResult, readSbomReceipt, type Result, type SbomReceipt } from './answers.ts'
import { exitCodes, Failure } from './failure.ts'
import { requestDated, type Answered } from './request.ts'
import type { Sender } from './sender.ts'
import type { Settings } from './settings.ts'

/** The longest time the service holds a request open. */
const maxHoldSeconds = 30
/** Between the starts of two requests: a results token has 60 an hour. */
const askEveryMs = 10_000
/** An upload token has 60 requests an hour for all its uploads. */
const resendEveryMs = 20_000
const maxResends = 10

type Matched = { sbom: SbomReceipt; result: Result | null }

/** Number of findings requested for reports that list them; a log shows ten. */
const maxFindings = 500

/** Polls with the results token until matching has ended. Fails as unreachable at the deadline. */
export async function askUntilMatched(
  { id, duplicate }: SbomReceipt,
  { baseUrl, resultsToken, wantsAll }: Settings & { resultsToken: string; wantsAll: boolean },
  { ports, terminal, deadlineMs }: Sender,
): Promise<Matched> {
  const startedMs = ports.nowMs()
  const patience = { deadlineMs, onRetry: (text: string) => terminal.say(text) }
  for (;;) {
    const askedMs = ports.nowMs()
    const leftSeconds = Math.floor((deadlineMs - askedMs) / 1000)
    if (leftSeconds < 1) throw timeOver(askedMs - startedMs)
    terminal.progress(`Waiting for matching, ${Math.round((askedMs - startedMs) / 1000)} s`)
    const holdSeconds = Math.min(maxHoldSeconds, leftSeconds)
    const url = `${baseUrl}/api/v1/sboms/${encodeURIComponent(id)}?wait=${holdSeconds}${wantsAll ? `&worst=${maxFindings}` : ''}`
    const timeoutMs = (holdSeconds + 30) * 1000
    const answer = await askForResult(() =>
      requestDated(ports, { method: 'GET', url, token: resultsToken, timeoutMs }, patience),
    )
    const sbom = { ...readSbomReceipt(answer.body), duplicate }
    if (hasEnded(sbom)) return { sbom, result: resultOf(answer, sbom) }
    await pause(Math.min(askedMs + askEveryMs, deadlineMs), ports)
  }
}

/** A replaced SBOM may have no counts (docs/decisions/0009, "Results for CI"): never a pass. */
function resultOf(answer: Answered, { url, status }: SbomReceipt): Result | null {
  const result = readResult(answer.body, answer.at)
  if (result !== null || status === 'failed') return result
  throw new Failure(
    exitCodes.noResult,
    `the service has no counts for this SBOM, because another one took its place: ${url}`,
  )
}

/** Distinguishes a wrong results token, or one of another family, from a wrong upload token. */
async function askForResult(ask: () => Promise<Answered>): Promise<Answered> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const hints = new Map([
      ['unauthorized', 'SBOM_MONITOR_RESULTS_TOKEN must be a results token; the SBOM is stored'],
      ['not_found', 'SBOM_MONITOR_RESULTS_TOKEN belongs to another product family; the SBOM is stored'],
    ])
    const hint = hints.get(error.refusal?.code ?? '')
    throw hint === undefined ? error : new Failure(error.exitCode, `${error.message}\n${hint}`, error.refusal)
  }
}

/**
 * Without a results token the status is only in the answer to sending the same file again (docs/decisions/0009, "Results for CI"). Stops
 * after a few attempts, so that waiting does not use up the token's hourly limit. Fails as unreachable at the deadline.
 */
export async function resendUntilMatched(
  sent: SbomReceipt,
  send: () => Promise<SbomReceipt>,
  { ports, terminal, deadlineMs }: Sender,
): Promise<SbomReceipt> {
  const startedMs = ports.nowMs()
  let sbom = sent
  if (!hasEnded(sbom)) {
    terminal.say('Matching runs in the service; set SBOM_MONITOR_RESULTS_TOKEN to wait for the result.')
    terminal.say('Without it the same file is sent again now and then, which tells the status only.')
  }
  for (let count = 1; !hasEnded(sbom); count += 1) {
    const askedMs = ports.nowMs()
    if (count > maxResends || askedMs + resendEveryMs >= deadlineMs) throw timeOver(askedMs - startedMs)
    terminal.progress(`Waiting for matching, ${Math.round((askedMs - startedMs) / 1000)} s`)
    await ports.sleep(resendEveryMs)
    sbom = { ...(await send()), duplicate: sent.duplicate }
  }
  return sbom
}

function hasEnded({ status }: SbomReceipt): boolean {
  return status === 'matched' || status === 'failed'
}

async function pause(untilMs: number, { nowMs, sleep }: Sender['ports']): Promise<void> {
  const leftMs = untilMs - nowMs()
  if (leftMs > 0) await sleep(leftMs)
}

function timeOver(waitedMs: number): Failure {
  const seconds = Math.round(waitedMs / 1000)
  return new Failure(
    exitCodes.unreachable,
    `matching had not ended after ${seconds} s; the SBOM is stored and will be matched`,
  )
}
