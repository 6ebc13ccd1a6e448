import { stateCapabilities } from '../../contract/workspace/plans.ts'
import { eventIdPrefix } from '../../contract/alerts/shapes.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { SealError } from '../../platform/sealing/envelope.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { knownZone } from '../../workspace/company/company-rules.ts'
import { effectiveState } from '../../workspace/state.ts'
import { secretPlace, urlPlace } from '../destinations/sealed-places.ts'
import { chatMessage } from './chat-message.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { ObserveDelivery } from './delivery-metrics.ts'
import { eventBody, type Envelope } from './event-body.ts'
import { outcomeOfAnswer, outcomeOfError, type Outcome } from './outcome.ts'
import type { Records } from './records.ts'
import type { Done } from './settle.ts'
import { signatureOf } from './sign.ts'

export type DeliveryDeps = Pick<Deps, 'db' | 'now' | 'log'> & {
  outbound: Outbound
  sealing: Sealing
  /** Of the service, without trailing slash. */
  baseUrl: string
  /** Names this process in leases. */
  name: string
  /** Called for every delivery that has ended here. */
  observeDelivery?: ObserveDelivery
}

/** The name by which the service introduces itself to receivers (docs/public-api.md, "Events"). */
const userAgent = 'Service-Alerts/1.0'

/**
 * Sends one delivery, once, unless it should no longer be sent. The message is built and signed now, so that its time is that of
 * sending. Neither the peer nor stored data can make it throw. Returns null when the attempt could not begin: another one has claimed
 * the delivery, or the database is away; the next one to claim it sends it.
 */
export async function post(
  deps: DeliveryDeps,
  delivery: ClaimedDelivery,
  begin: Records['begin'],
): Promise<Done | null> {
  const sentAt = deps.now()
  const reason = whyNotSent(delivery, sentAt)
  if (reason !== undefined) return { kind: 'not_sent', reason }
  const startedAt = performance.now()
  const outcome = await outcomeOfPost({ deps, delivery, begin, sentAt })
  if (outcome === null || 'kind' in outcome) return outcome
  return { kind: 'posted', ...outcome, sentAt, durationMs: Math.round(performance.now() - startedAt) }
}

type Recording = { delivery: ClaimedDelivery; done: Done; records: Records }

/** Records the outcome of a delivery in the log and, as soon as possible, in the database. */
export async function record(deps: DeliveryDeps, { delivery, done, records }: Recording): Promise<void> {
  const { log, observeDelivery = () => undefined } = deps
  await records.end({ id: delivery.id, attempts: delivery.attempts, done })
  if (done.kind === 'not_sent') {
    observeDelivery('not_sent', 0)
    return
  }
  const { isSent, status, reason, durationMs } = done
  observeDelivery(isSent ? 'sent' : 'failed', durationMs / 1000)
  log.info(
    {
      delivery: delivery.id,
      workspaceId: delivery.workspace_id,
      destinationId: delivery.destination_id,
      type: delivery.fact.type,
      isSent,
      status,
      durationMs,
      // an answer's text may contain anything
      ...(status === null && reason !== null ? { reason } : {}),
    },
    'delivery',
  )
}

/** Decided at the moment of sending; undefined when it is sent. */
function whyNotSent(delivery: ClaimedDelivery, now: Date): string | undefined {
  if (delivery.removed_at !== null) return 'the destination was removed'
  const state = effectiveState(delivery, now)
  if (state === 'closed') return 'the workspace is closed'
  // deliveries from before a move are sent here: the other installation does not know them
  const isLeaving = state === 'moving' || state === 'moved'
  if (!stateCapabilities[state].write && !isLeaving) return 'the workspace is read-only'
  if (!stateCapabilities[state].destinations && !isLeaving)
    return 'the plan does not include alert destinations'
  if (!delivery.enabled && delivery.fact.type !== 'test') return 'the destination is turned off'
  return whyPointless(delivery, now)
}

/** A warning is useless once its report is filed or late. */
function whyPointless({ fact, is_answered }: ClaimedDelivery, now: Date): string | undefined {
  if (fact.type !== 'deadline.warning') return undefined
  if (is_answered) return 'the report is no longer open'
  return new Date(fact.data.dueAt) <= now ? 'the deadline has passed' : undefined
}

type Posting = {
  deps: DeliveryDeps
  delivery: ClaimedDelivery
  begin: Records['begin']
  sentAt: Date
}

type NotSent = Extract<Done, { kind: 'not_sent' }>

async function outcomeOfPost(posting: Posting): Promise<Outcome | NotSent | null> {
  const { deps, delivery, begin, sentAt } = posting
  const attempt: { isBeginning: boolean; notSent?: NotSent } = { isBeginning: false }
  const beforeSending = async () => {
    attempt.isBeginning = true
    const now = await begin(delivery)
    if (now === undefined) throw new Error('another attempt has taken the delivery up')
    attempt.isBeginning = false
    // the lookup and the handshake may have taken seconds: whoever removed the destination meanwhile was told that posting stops
    const reason = whyNotSent({ ...delivery, ...now }, deps.now())
    if (reason === undefined) return
    attempt.notSent = { kind: 'not_sent', reason }
    throw new Error(reason)
  }
  try {
    const { url, headers, body } = messageFor(deps, delivery, sentAt)
    const answer = await deps.outbound.ask({
      purpose: 'alert',
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
      body: Buffer.from(body),
      beforeSending,
    })
    return outcomeOfAnswer(answer.status, answer.body)
  } catch (error) {
    if (attempt.isBeginning) {
      deps.log.warn({ err: error, delivery: delivery.id }, 'a delivery waits: its beginning was not recorded')
      return null
    }
    if (attempt.notSent !== undefined) return attempt.notSent
    const outcome = outcomeOfError(error)
    const { log } = deps
    const about = { err: error, delivery: delivery.id, destinationId: delivery.destination_id }
    // a defect that no peer can cause: a retry would fail again and only hide it
    if (outcome.isOurs) log.error(about, 'a delivery could not be made')
    else log.debug(about, 'a post failed')
    return outcome
  }
}

type Message = { url: string; headers: Record<string, string>; body: string }

function messageFor({ sealing, baseUrl }: DeliveryDeps, delivery: ClaimedDelivery, created: Date): Message {
  const key = { workspaceId: delivery.workspace_id, id: delivery.destination_id }
  const { url_sealed: sealedUrl, secret_sealed: sealedSecret, fact, kind } = delivery
  if (sealedUrl === null) throw new SealError('damaged')
  const url = sealing.open(urlPlace(key), sealedUrl)
  const envelope: Envelope = {
    id: delivery.id,
    created,
    workspace: delivery.company_name,
    workspaceSlug: delivery.slug,
    baseUrl,
  }
  if (kind !== 'webhook') {
    const body = chatMessage({ kind, url, fact, envelope, timeZone: knownZone(delivery.time_zone) })
    return { url, headers: {}, body }
  }
  if (sealedSecret === null) throw new SealError('damaged')
  const body = eventBody(fact, envelope)
  const signature = signatureOf({ secret: sealing.open(secretPlace(key), sealedSecret), body, created })
  const id = eventIdPrefix + delivery.id
  return { url, body, headers: { 'service-event-id': id, 'service-signature': signature } }
}
