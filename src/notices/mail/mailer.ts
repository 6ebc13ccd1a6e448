import { Patience } from '../../queue/patience.ts'
import { Sending } from '../../queue/sending.ts'
import { claimMails, recoverMails, renewEveryMs, renewMailLeases, type ClaimedMail } from './outbox.ts'
import { sendMail, type MailDeps, type SendingDeps } from './send-mail.ts'

/** Connections to the mail server that a process has open: servers allow few of one client. */
const maxAtOnce = 4
const pollMs = 1_000
const recoverMs = 5_000
const stopWithinMs = 5_000
/** A process that stops has ten seconds. */
const recordingMs = 8_000
const patienceMs = 60_000

export type RunningMailer = { wake: () => void; stop: () => Promise<void> }

/** Sends the messages that are due until stopped. `wake` looks for more at once, but only polling is relied on. */
export function startMailer(deps: MailDeps): RunningMailer {
  const patience = new Patience(patienceMs)
  const sending = sendingOf({ ...deps, patience })
  const timers = [
    setInterval(() => sending.look(), pollMs),
    setInterval(() => void renew(deps, sending), renewEveryMs),
    setInterval(() => void sending.recover(), recoverMs),
  ]
  void sending.recover()
  return {
    wake: () => sending.look(),
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      // messages not accepted by then are sent another time
      const cutting = setTimeout(() => deps.transport?.close(), stopWithinMs)
      const givingUp = setTimeout(() => patience.giveUp(), recordingMs)
      await sending.stop()
      clearTimeout(cutting)
      clearTimeout(givingUp)
      deps.transport?.close()
    },
  }
}

/** Sends every message that is due, once. Returns how many it claimed. */
export async function sendDueMails(deps: MailDeps): Promise<number> {
  await recoverMails(deps.db, deps.now())
  const sending = sendingOf({ ...deps, patience: new Patience(patienceMs) })
  await sending.finish()
  return sending.taken
}

function sendingOf(deps: SendingDeps): Sending<ClaimedMail> {
  const { db, now, log, name: worker } = deps
  return new Sending({
    name: 'mails',
    log,
    maxAtOnce,
    gatherMs: 0,
    claim: (limit) => claimMails(db, { now: now(), worker, limit }),
    send: (mail) => sendMail(deps, mail),
    recover: () => recoverMails(db, now()),
  })
}

async function renew({ db, name }: MailDeps, sending: Sending<ClaimedMail>): Promise<void> {
  const ids = sending.underWay.map(({ id }) => id)
  if (ids.length > 0) await sending.reported(renewMailLeases(db, name, ids))
}
