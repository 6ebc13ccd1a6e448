import { sql } from 'kysely'
import { Sending } from '../sending/sending.ts'
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
  const givingUp = new AbortController()
  const sending = sendingOf(place, givingUp.signal)
  const polling = setInterval(() => sending.look(), pollMs)
  const recovering = setInterval(() => void sending.recover(), recoverMs)
  void sending.recover()
  return {
    wake: () => sending.look(),
    stop: async () => {
      clearInterval(polling)
      clearInterval(recovering)
      const patience = setTimeout(() => givingUp.abort(), recordingMs)
      await sending.stop()
      clearTimeout(patience)
    },
  }
}

/** Sends everything that waits, what dead processes left behind included. Returns how many deliveries it took up. */
export async function deliverAll(place: DeliveryPlace): Promise<number> {
  const sending = sendingOf(place, new AbortController().signal)
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

/** `givingUp` ends the trying to record what the database does not take. */
function sendingOf(place: DeliveryPlace, givingUp: AbortSignal): Sending<ClaimedDelivery> {
  const { db, now, log, name: worker } = place
  const turns = new Turns()
  return new Sending({
    name: 'deliveries',
    log,
    mostAtOnce,
    claim: (most) =>
      claimDeliveries(db, {
        worker,
        limit: Math.min(most, claimedAtOnce),
        mostToHost,
        turns: turns.hosts.list(),
        exceptWorkspaces: turns.fullWorkspaces(),
      }),
    send: async (delivery, look) => {
      const done = await turns.during(delivery, () => post(place, delivery))
      // the receiver is free again, whatever the database does
      look()
      await record(place, { delivery, done, givingUp })
    },
    recover: () => recoverDeliveries(db, now()),
  })
}

/** The posts that are under way, by host and by workspace. */
class Turns {
  readonly hosts = new HostTurnsBook()
  readonly #workspaces = new Map<string, number>()

  fullWorkspaces(): string[] {
    return [...this.#workspaces].filter(([, posts]) => posts >= perWorkspace).map(([id]) => id)
  }

  async during<T>(
    { host, workspace_id: workspaceId }: ClaimedDelivery,
    posting: () => Promise<T>,
  ): Promise<T> {
    const startedAt = performance.now()
    this.hosts.begin({ workspaceId, host })
    this.#count(workspaceId, 1)
    try {
      return await posting()
    } finally {
      this.hosts.end({ workspaceId, host }, performance.now() - startedAt)
      this.#count(workspaceId, -1)
    }
  }

  #count(workspaceId: string, change: 1 | -1): void {
    const next = (this.#workspaces.get(workspaceId) ?? 0) + change
    if (next === 0) this.#workspaces.delete(workspaceId)
    else this.#workspaces.set(workspaceId, next)
  }
}
