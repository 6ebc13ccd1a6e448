import { sql } from 'kysely'
import { Sending } from '../../queue/sending.ts'
import { claimDeliveries, renewDeliveryLeases, renewEveryMs, type ClaimedDelivery } from './claim.ts'
import { post, record, type DeliveryDeps } from './deliver.ts'
import { ReceiverTurnsBook, type Receiver } from './receiver-turns.ts'
import { recordsOf, type Records } from './records.ts'
import { recoverDeliveries } from './settle.ts'

/**
 * How many posts a process has under way. A receiver that hangs occupies its slot for five seconds: a hundred of them leave most slots
 * free, and no workspace can take them all.
 */
const maxAtOnce = 512
const maxToHost = 64
const maxOfWorkspaceToHost = 8
const perWorkspace = 128
const claimedAtOnce = 64
/** While many posts end, their successors are claimed by one statement. */
const gatherMs = 10

const pollMs = 1_000
const recoverMs = 3_000
/** A process that stops has ten seconds; posts take five of them. */
const recordingMs = 8_000

export type RunningDeliverer = { wake: () => void; stop: () => Promise<void> }

/** Sends what is due until stopped. `wake` looks for more at once, but only polling is relied on. */
export function startDeliverer(deps: DeliveryDeps): RunningDeliverer {
  const records = recordsOf(deps)
  const sending = sendingOf(deps, records)
  const polling = setInterval(() => sending.look(), pollMs)
  const recovering = setInterval(() => void sending.recover(), recoverMs)
  const renewing = setInterval(() => void renew(deps, sending), renewEveryMs)
  void sending.recover()
  return {
    wake: () => sending.look(),
    stop: async () => {
      clearInterval(polling)
      clearInterval(recovering)
      const patience = setTimeout(() => records.giveUp(), recordingMs)
      await sending.stop()
      clearTimeout(patience)
      clearInterval(renewing)
    },
  }
}

/** Sends everything that is due, including what dead processes left behind. Returns how many deliveries it claimed. */
export async function deliverAll(deps: DeliveryDeps): Promise<number> {
  const sending = sendingOf(deps, recordsOf(deps))
  const renewing = setInterval(() => void renew(deps, sending), renewEveryMs)
  try {
    for (;;) {
      await recoverDeliveries(deps.db, deps.now())
      await sending.finish()
      if (!(await isAnyUnderWay(deps))) return sending.taken
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  } finally {
    clearInterval(renewing)
  }
}

async function renew({ db, name }: DeliveryDeps, sending: Sending<ClaimedDelivery>): Promise<void> {
  const ids = sending.underWay.map(({ id }) => id)
  if (ids.length > 0) await sending.reported(renewDeliveryLeases(db, name, ids))
}

async function isAnyUnderWay({ db }: DeliveryDeps): Promise<boolean> {
  const { rows } = await sql<{ any: boolean }>`
    select exists (select from alert_delivery where state in ('pending', 'sending')) as any`.execute(db)
  return rows[0]?.any === true
}

function sendingOf(deps: DeliveryDeps, records: Records): Sending<ClaimedDelivery> {
  const { db, now, log, name: worker } = deps
  const posts = new PostsUnderWay()
  return new Sending({
    name: 'deliveries',
    log,
    maxAtOnce,
    gatherMs,
    claim: (max) =>
      claimDeliveries(db, {
        worker,
        limit: Math.min(max, claimedAtOnce),
        maxToHost,
        turns: posts.receivers.list(),
        maxOfWorkspace: maxOfWorkspaceToHost,
        exceptWorkspaces: posts.fullWorkspaces(),
        now: now(),
      }),
    send: async (delivery, look) => {
      const at = now()
      const done = await posts.during(delivery, at, () => post(deps, delivery, records.begin))
      // the receiver is free again, whatever the database does
      look()
      try {
        if (done !== null) await record(deps, { delivery, done, records })
      } finally {
        posts.receivers.recorded(receiverOf(delivery), at)
      }
    },
    recover: () => recoverDeliveries(db, now()),
  })
}

function receiverOf(delivery: ClaimedDelivery): Receiver {
  const { host, workspace_id: workspaceId, destination_id: destinationId } = delivery
  return { workspaceId, host, destinationId }
}

/** By receiver and by workspace. */
class PostsUnderWay {
  readonly receivers = new ReceiverTurnsBook()
  readonly #workspaces = new Map<string, number>()

  fullWorkspaces(): string[] {
    return [...this.#workspaces].filter(([, posts]) => posts >= perWorkspace).map(([id]) => id)
  }

  async during<T>(delivery: ClaimedDelivery, at: Date, posting: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const receiver = receiverOf(delivery)
    this.receivers.begin(receiver, at)
    this.#count(receiver.workspaceId, 1)
    try {
      return await posting()
    } finally {
      this.receivers.end(receiver, performance.now() - startedAt)
      this.#count(receiver.workspaceId, -1)
    }
  }

  #count(workspaceId: string, change: 1 | -1): void {
    const next = (this.#workspaces.get(workspaceId) ?? 0) + change
    if (next === 0) this.#workspaces.delete(workspaceId)
    else this.#workspaces.set(workspaceId, next)
  }
}
