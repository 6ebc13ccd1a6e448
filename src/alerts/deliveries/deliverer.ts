import { sql } from 'kysely'
import { isStoreAway } from '../../platform/postgres/store-away.ts'
import { claimDeliveries, type ClaimedDelivery } from './claim.ts'
import { post, record, type DeliveryPlace } from './deliver.ts'
import { HostTurnsBook } from './host-turns.ts'
import { recoverDeliveries } from './settle.ts'

/**
 * How many posts a process has under way. A receiver that hangs occupies its place for five seconds: a hundred of them leave most places
 * free, and no workspace can take them all.
 */
const mostAtOnce = 512
const mostToHost = 64
const perWorkspace = 128
const claimedAtOnce = 64

const pollMs = 1_000
const recoverMs = 3_000
/** A process that stops has ten seconds; posts take five of them. */
const recordingMs = 8_000

export type RunningDeliverer = { wake: () => void; stop: () => Promise<void> }

/** Sends what waits until stopped. `wake` looks for more at once; polling is the truth. */
export function startDeliverer(place: DeliveryPlace): RunningDeliverer {
  const sending = new Sending(place)
  const polling = setInterval(() => sending.look(), pollMs)
  const recover = () => void sending.recover()
  const recovering = setInterval(recover, recoverMs)
  recover()
  return {
    wake: () => sending.look(),
    stop: async () => {
      clearInterval(polling)
      clearInterval(recovering)
      await sending.stop()
    },
  }
}

/** Sends everything that waits, what dead processes left behind included. Answers how many deliveries it took up. */
export async function deliverAll(place: DeliveryPlace): Promise<number> {
  const sending = new Sending(place)
  for (;;) {
    await recoverDeliveries(place.db, place.now())
    await sending.finish()
    if (!(await isAnyUnderWay(place))) return sending.taken
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function isAnyUnderWay({ db }: DeliveryPlace): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from alert_delivery where state in ('pending', 'sending')) as any`.execute(db)
  return rows[0]?.any === true
}

/** The posts under way in this process. */
class Sending {
  taken = 0
  readonly #place: DeliveryPlace
  readonly #posts = new Set<Promise<void>>()
  readonly #hosts = new HostTurnsBook()
  readonly #workspaces = new Map<string, number>()
  #looking: Promise<void> | null = null
  #lookAgain = false
  readonly #stopping = new AbortController()
  #isStopping = false

  constructor(place: DeliveryPlace) {
    this.#place = place
  }

  /** Takes up what there is room for; a call while one looks makes it look once more. */
  look(): void {
    this.#lookAgain = true
    this.#looking ??= this.#claimWhileThereIsMore().finally(() => {
      this.#looking = null
    })
  }

  async recover(): Promise<void> {
    try {
      if ((await recoverDeliveries(this.#place.db, this.#place.now())) > 0) this.look()
    } catch (error) {
      this.#report(error)
    }
  }

  /** Until nothing waits that could be sent now, and nothing is under way here. */
  async finish(): Promise<void> {
    this.look()
    await this.#looking
    while (this.#posts.size > 0) {
      await Promise.race(this.#posts)
      this.look()
      await this.#looking
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    const givingUp = setTimeout(() => this.#stopping.abort(), recordingMs)
    await this.#looking
    await Promise.all(this.#posts)
    clearTimeout(givingUp)
  }

  async #claimWhileThereIsMore(): Promise<void> {
    while (this.#lookAgain && !this.#isStopping) {
      this.#lookAgain = false
      const free = mostAtOnce - this.#posts.size
      if (free <= 0) return
      const { db, name } = this.#place
      const limit = Math.min(free, claimedAtOnce)
      const claimed = await claimDeliveries(db, {
        worker: name,
        limit,
        mostToHost,
        turns: this.#hosts.list(),
        exceptWorkspaces: [...this.#workspaces]
          .filter(([, posts]) => posts >= perWorkspace)
          .map(([id]) => id),
      }).catch((error: unknown) => {
        this.#report(error)
        return []
      })
      for (const delivery of claimed) this.#send(delivery)
      if (claimed.length > 0) this.#lookAgain = true
    }
  }

  #send(delivery: ClaimedDelivery): void {
    this.taken += 1
    const sending = this.#sendAndRecord(delivery)
      .catch((error: unknown) => this.#report(error))
      .finally(() => this.#posts.delete(sending))
    this.#posts.add(sending)
  }

  async #sendAndRecord(delivery: ClaimedDelivery): Promise<void> {
    const { host, workspace_id: workspaceId } = delivery
    const startedAt = performance.now()
    this.#hosts.begin({ workspaceId, host })
    count(this.#workspaces, workspaceId, 1)
    const done = await post(this.#place, delivery).finally(() => {
      // the receiver is free again, whatever the store does
      this.#hosts.end({ workspaceId, host }, performance.now() - startedAt)
      count(this.#workspaces, workspaceId, -1)
      this.look()
    })
    await record(this.#place, { delivery, done, stopping: this.#stopping.signal })
  }

  #report(error: unknown): void {
    const { log } = this.#place
    if (isStoreAway(error)) log.warn({ err: error }, 'deliveries wait: the store is away')
    else log.error({ err: error }, 'a delivery could not be made')
  }
}

function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + change
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}
