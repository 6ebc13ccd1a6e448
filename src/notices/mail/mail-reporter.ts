import type { ReportText } from '../../contract/disclosure/shapes.ts'
import { dayMs } from '../../contract/durations.ts'
import { isEmailAddress } from '../../contract/people/email-address.ts'
import type { Deps } from '../../platform/deps.ts'
import type { JobPayload } from '../../jobs.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { countHit, readHits, type HitSubject } from '../../disclosure/form/hits.ts'
import { receiptPlace, reportTextPlace } from '../../disclosure/sealed-places.ts'
import { publicUrls } from '../../disclosure/settings/public-disclosure.ts'
import { reporterMailWords } from '../../disclosure/reporter-mail.ts'
import { checkedUrl } from '../../html/checked-url.ts'
import { html } from '../../html/html.ts'
import { deliveredTo } from '../../people/mailbox.ts'
import { effectiveState, stateColumnsOfW } from '../../workspace/state.ts'
import { bounded } from '../messages/bounded.ts'
import type { MailDeps } from './send-mail.ts'

export type ReporterMailDeps = Pick<Deps, 'db' | 'now' | 'log'> &
  Pick<MailDeps, 'transport' | 'baseUrl' | 'messageDomain'> & { sealing: Sealing }

const nameCharacters = 120

/**
 * Tells a reporter that the status page has something new (job `mail_reporter`): a fixed text and the link, nothing of what was written.
 * No copy is stored: address and link are sealed with the report, and a repeat is the same message. Throws while the mail server does not
 * accept it, or the key is missing, so that the job runs again.
 */
export async function mailReporter(
  deps: ReporterMailDeps,
  { workspaceId, reportId, cause, mailId }: JobPayload['mail_reporter'],
): Promise<void> {
  const { now, log, sealing, transport, baseUrl, messageDomain } = deps
  const facts = { mail: mailId, kind: 'reporter' }
  if (transport === null) {
    log.info(facts, 'mail to a reporter is not sent: no mail server is configured')
    return
  }
  const report = await selectReport(deps, { workspaceId, reportId })
  if (report === undefined || effectiveState(report, now()) === 'closed') return
  const key = { workspaceId, id: reportId }
  const { contactEmail } = JSON.parse(sealing.open(reportTextPlace(key), report.text_sealed)) as ReportText
  const token = sealing.open(receiptPlace(key), report.receipt_sealed)
  if (contactEmail === '') return
  const bounds = boundsOf({ reportId, cause, contactEmail })
  if (await isFull(deps, bounds)) {
    log.info(facts, 'mail to a reporter is not sent: the address has had as many as it gets in a day')
    return
  }
  const company = bounded(report.company_name, nameCharacters)
  const contact = report.public_contact_email ?? report.security_contact_email
  const words = reporterMailWords(report.language, { company, contact, cause })
  const url = `${publicUrls(report.slug, baseUrl).policy}/reports/${token}`
  const sending = await transport.send({
    to: { name: '', address: contactEmail },
    subject: words.subject,
    text: `${words.said}\n\n${words.link}: ${url}\n\n${words.noReply}\n\n${company}\n`,
    html: html`<!doctype html>
      <html lang="${report.language}">
        <head>
          <meta charset="utf-8" />
          <title>${words.subject}</title>
        </head>
        <body>
          <p>${words.said}</p>
          <p><a href="${checkedUrl(url)}">${words.link}</a></p>
          <p>${words.noReply}</p>
          <p>${company}</p>
        </body>
      </html> `.toString(),
    messageId: `<${mailId}@${messageDomain}>`,
    unsubscribeUrl: null,
    ...(isEmailAddress(contact) && { replyTo: contact }),
  })
  if (sending.kind === 'later') throw new Error(`mail to a reporter waits: ${sending.reason}`)
  await Promise.all(bounds.map(({ subject }) => countHit(deps.db, sealing.ring, subject, today(deps))))
  // what the server says may name the address
  log.info({ ...facts, isSent: sending.kind === 'sent' }, 'mail to a reporter ended')
}

/**
 * Whoever sends a report types the address, and may run the company that answers it: how many messages a mailbox gets in a day, from all
 * companies, and how many of one report. The status page shows everything all the same.
 */
const aDay = { received: 10, news: 50, newsOfReport: 10 }

type Bound = { subject: HitSubject; limit: number }
type Told = Pick<JobPayload['mail_reporter'], 'reportId' | 'cause'> & { contactEmail: string }

function boundsOf({ reportId, cause, contactEmail }: Told): Bound[] {
  const mailbox = { subject: ['reporter mail', cause, deliveredTo(contactEmail)], limit: aDay[cause] }
  if (cause === 'received') return [mailbox]
  return [mailbox, { subject: ['reporter mail', cause, 'report', reportId], limit: aDay.newsOfReport }]
}

const today = ({ now }: Pick<ReporterMailDeps, 'now'>) => ({ now: now(), withinMs: dayMs })

/** Those that were sent count: one that the server does not take yet is tried again. */
async function isFull(deps: ReporterMailDeps, bounds: readonly Bound[]): Promise<boolean> {
  const { db, sealing } = deps
  const sent = await Promise.all(
    bounds.map(({ subject }) => readHits(db, sealing.ring, subject, today(deps))),
  )
  return bounds.some(({ limit }, at) => (sent[at] ?? 0) >= limit)
}

/** Undefined: erased, or without an address. */
async function selectReport(
  { db }: Pick<ReporterMailDeps, 'db'>,
  { workspaceId, reportId }: { workspaceId: string; reportId: string },
) {
  const row = await db
    .selectFrom('inbox_report as r')
    .innerJoin('workspace as w', 'w.id', 'r.workspace_id')
    .leftJoin('disclosure_settings as d', 'd.workspace_id', 'w.id')
    .select([
      'r.language',
      'r.text_sealed',
      'r.receipt_sealed',
      'w.slug',
      'w.company_name',
      'w.security_contact_email',
      ...stateColumnsOfW,
      'd.public_contact_email',
    ])
    .where('r.workspace_id', '=', workspaceId)
    .where('r.id', '=', reportId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { text_sealed, receipt_sealed, ...rest } = row
  return text_sealed === null || receipt_sealed === null
    ? undefined
    : { ...rest, text_sealed, receipt_sealed }
}
