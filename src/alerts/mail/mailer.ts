import { isStoreAway } from '../../platform/postgres/store-away.ts'
import { claimMails, recoverMails, renewEveryMs, renewMailLeases, type ClaimedMail } from './outbox.ts'
import { sendMail, type MailPlace } from './send-mail.ts'

/** Connections to the mail server that a process has open: servers allow few of one client. */
const mostAtOnce = 4
const pollMs = 1_000
const recoverMs = 5_000
const stopWithinMs = 5_000

export type RunningMailer = { wake: () => void; stop: () => Promise<void> }

/** Sends the messages that are due until stopped. `wake` looks for more at once; polling is the truth. */
export function startMailer(place: MailPlace): RunningMailer {
  const outbox = new Outbox(place)
  const timers = [
    setInterval(() => outbox.look(), pollMs),
    setInterval(() => void outbox.renew(), renewEveryMs),
    setInterval(() => void outbox.recover(), recoverMs),
  ]
  void outbox.recover()
  return {
    wake: () => outbox.look(),
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      // what is not taken by then is sent another time
      const cutting = setTimeout(() => place.transport?.close(), stopWithinMs)
      await outbox.stop()
      clearTimeout(cutting)
      place.transport?.close()
    },
  }
}

/** Sends every message that is due, once. Answers how many were taken up. */
export async function sendDueMails(place: MailPlace): Promise<number> {
  await recoverMails(place.db, place.now())
  const outbox = new Outbox(place)
  await outbox.finish()
  return outbox.taken
}

/** The messages under way in this process. */
class Outbox {
  taken = 0
  readonly #place: MailPlace
  readonly #underWay = new Map<string, Promise<void>>()
  #looking: Promise<void> | null = null
  #lookAgain = false
  #isStopping = false

  constructor(place: MailPlace) {
    this.#place = place
  }

  /** Takes up what there is room for; a call while one looks makes it look once more. */
  look(): void {
    this.#lookAgain = true
    this.#looking ??= this.#claimWhileThereIsMore().finally(() => {
      this.#looking = null
    })
  }

  async renew(): Promise<void> {
    const { db, name } = this.#place
    if (this.#underWay.size === 0) return
    await this.#reported(renewMailLeases(db, name, [...this.#underWay.keys()]))
  }

  async recover(): Promise<void> {
    const { db, now } = this.#place
    await this.#reported(recoverMails(db, now()))
    this.look()
  }

  /** Until nothing is due and nothing is under way here. */
  async finish(): Promise<void> {
    this.look()
    await this.#looking
    while (this.#underWay.size > 0) {
      await Promise.race(this.#underWay.values())
      this.look()
      await this.#looking
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#looking
    await Promise.all(this.#underWay.values())
  }

  async #claimWhileThereIsMore(): Promise<void> {
    const { db, now, name: worker } = this.#place
    while (this.#lookAgain && !this.#isStopping) {
      this.#lookAgain = false
      const limit = mostAtOnce - this.#underWay.size
      if (limit <= 0) return
      const claimed = (await this.#reported(claimMails(db, { now: now(), worker, limit }))) ?? []
      for (const mail of claimed) this.#send(mail)
      if (claimed.length > 0) this.#lookAgain = true
    }
  }

  #send(mail: ClaimedMail): void {
    this.taken += 1
    const sending = this.#reported(sendMail(this.#place, mail)).then(() => {
      this.#underWay.delete(mail.id)
      if (!this.#isStopping) this.look()
    })
    this.#underWay.set(mail.id, sending)
  }

  async #reported<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      const { log } = this.#place
      if (isStoreAway(error)) log.warn({ err: error }, 'mail waits: the store is away')
      else log.error({ err: error }, 'mail could not be handled')
      return undefined
    }
  }
}
