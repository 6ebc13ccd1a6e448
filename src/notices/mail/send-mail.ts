import { choiceOf, noticeRules, type MailFact, type NoticeChoice } from '../../contract/notices/shapes.ts'
import type { Deps } from '../../platform/deps.ts'
import { knownZone } from '../../workspace/company/company-rules.ts'
import type { Patience } from '../../queue/patience.ts'
import { effectiveState } from '../../workspace/state.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { composeMail, type Composed } from './compose.ts'
import { beginMail, endMail, keepWords, putOffMail, type ClaimedMail, type MailEnd } from './outbox.ts'
import type { MailTransport } from './transport.ts'
import { isLetter, writeLetter, type WrittenMail } from './write-letter.ts'

export type MailDeps = Pick<Deps, 'db' | 'now' | 'log'> & {
  /** null: no mail server is configured, and messages are kept. */
  transport: MailTransport | null
  /** Opens the links of letters. */
  sealing: Pick<Sealing, 'open'>
  serviceName: string
  /** Of the service, without trailing slash. */
  baseUrl: string
  /** Right side of every Message-ID. */
  messageDomain: string
  /** Names this process in leases. */
  name: string
}

/** Of a process that sends: what the mail server has taken must not be lost because the database is away, or it would be sent twice. */
export type SendingDeps = MailDeps & { patience: Patience }

/** Sends one message, or keeps it where there is no mail server, and records what became of it. */
export async function sendMail(deps: SendingDeps, mail: ClaimedMail): Promise<void> {
  const { db, now, log, transport, patience } = deps
  const end = (state: MailEnd, reason: string | null) => {
    const endedAt = now()
    return patience.untilStored(() => endMail(db, mail, { state, reason, now: endedAt }))
  }
  const written = await writeMail(deps, mail, now())
  if ('refusal' in written) return end('not_sent', written.refusal)
  if ('later' in written) return sendLater(deps, mail, written.later)
  const messageId = mail.message_id ?? `<${mail.id}@${deps.messageDomain}>`
  if (mail.message_id === null) await keepWords(db, mail, { messageId, ...written.stored })
  if (transport === null) return end('kept', null)
  if (!(await beginMail(db, mail))) return
  const sending = await transport.send({
    to: { name: mail.recipient_name, address: mail.recipient },
    messageId,
    ...written.said,
  })
  const facts = factsOf(mail)
  switch (sending.kind) {
    case 'sent':
      log.info(facts, 'mail sent')
      return end('sent', null)
    case 'refused':
      log.warn({ ...facts, reason: sending.reason }, 'mail refused')
      return end('failed', sending.reason)
    case 'later':
      return sendLater(deps, mail, sending.reason)
  }
}

function factsOf({ id, fact, attempts }: ClaimedMail) {
  return { mail: id, kind: fact.type, attempts }
}

async function sendLater(
  { db, now, log, patience }: SendingDeps,
  mail: ClaimedMail,
  reason: string,
): Promise<void> {
  const triedAt = now()
  const hasFailed = await patience.untilStored(() => putOffMail(db, mail, { now: triedAt, reason }))
  log.warn({ ...factsOf(mail), reason, hasFailed }, 'mail could not be sent')
}

async function writeMail(deps: MailDeps, mail: ClaimedMail, now: Date): Promise<WrittenMail> {
  const { fact } = mail
  if (isLetter(fact)) return writeLetter(deps, { fact, linkId: mail.link_id }, now)
  const judged = judgeMail({ ...mail, fact }, now)
  if ('refusal' in judged) return judged
  const said = wordsOf(deps, mail, judged.fact)
  return { said, stored: said }
}

type Judged = { fact: MailFact } | { refusal: string }

/** The part of a message that its recipient should still get, decided at the moment of sending. */
export function judgeMail(
  mail: Pick<ClaimedMail, 'is_named' | 'membership' | 'is_answered'> & { fact: MailFact },
  now: Date,
): Judged {
  const { fact, membership } = mail
  if (membership !== null && membership.role === null) return { refusal: 'the person is no longer a member' }
  if (mail.is_answered) return { refusal: 'the report is no longer open' }
  if (fact.type !== 'digest') {
    const choice = fact.type === 'weekly.report' ? 'weekly' : 'at_once'
    const refusal = refusalOf(fact, choice, { membership, isNamed: mail.is_named }, now)
    return refusal === undefined ? { fact } : { refusal }
  }
  const notices = fact.data.notices.filter(
    (notice) => refusalOf(notice.fact, 'digest', { membership, isNamed: notice.isNamed }, now) === undefined,
  )
  if (notices.length === 0) return { refusal: 'nothing in it concerns the member any more' }
  return { fact: { ...fact, data: { ...fact.data, notices } } }
}

function refusalOf(
  fact: Exclude<MailFact, { type: 'digest' }>,
  choice: NoticeChoice,
  { isNamed, membership }: { isNamed: boolean; membership: ClaimedMail['membership'] },
  now: Date,
): string | undefined {
  if (membership === null) return undefined
  const { role, choices } = membership
  const rule = noticeRules[fact.type]
  const state = effectiveState(membership, now)
  if (!rule.states.includes(state)) return `the workspace is ${state === 'free' ? 'read-only' : state}`
  if (role !== null && !isNamed && !rule.roles.includes(role))
    return "the member's role no longer includes it"
  if (choiceOf(fact.type, choices ?? {}) !== choice) return 'the member has chosen not to receive it this way'
  if (fact.type === 'deadline.warning' && Date.parse(fact.data.dueAt) <= now.getTime())
    return 'the deadline has passed'
  return undefined
}

/** As it was composed the first time, otherwise composed now. */
function wordsOf(deps: MailDeps, mail: ClaimedMail, fact: MailFact): Composed {
  const { serviceName, baseUrl } = deps
  const { membership } = mail
  const workspace =
    membership === null
      ? null
      : {
          slug: membership.slug,
          companyName: membership.company_name,
          timeZone: knownZone(membership.time_zone),
        }
  const composed = composeMail({ fact, workspace, serviceName, baseUrl })
  const { subject, text, html } = mail
  if (subject === null || text === null || html === null) return composed
  return { subject, text, html, unsubscribeUrl: composed.unsubscribeUrl }
}
