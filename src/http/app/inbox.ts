import * as contract from '../../contract/disclosure/operations.ts'
import { ServiceError } from '../../contract/errors.ts'
import { messageReporter, noteOnReport, noteOutsideAnswer } from '../../disclosure/inbox/answer-report.ts'
import { hideCredit, showCredit } from '../../disclosure/inbox/credit.ts'
import { eraseReport } from '../../disclosure/inbox/erase-report.ts'
import type { ReportAct } from '../../disclosure/inbox/lock-report.ts'
import { linkIncident, openIncidentFromReport, unlinkIncident } from '../../disclosure/inbox/link-incident.ts'
import { listInbox } from '../../disclosure/inbox/list-inbox.ts'
import { openAttachment, showReport } from '../../disclosure/inbox/show-report.ts'
import {
  changeReport,
  markDuplicate,
  markNotSpam,
  markSpam,
  moveReport,
} from '../../disclosure/inbox/triage.ts'
import { checkSecurityTxt } from '../../disclosure/settings/check-security-txt.ts'
import { publicUrls, selectDisclosureOf } from '../../disclosure/settings/public-disclosure.ts'
import { securityTxt } from '../../disclosure/settings/security-txt.ts'
import { changeDisclosureSettings, showDisclosureSettings } from '../../disclosure/settings/settings.ts'
import { personOf } from '../../incidents/record/lock-incident.ts'
import { beginFromReport } from '../../disclosure/reads/begin-advisory.ts'
import { announcedFeed } from '../../disclosure-site/announced-feed.ts'
import { routesOf } from './routing/handle.ts'
import type { Member } from './routing/member.ts'

/** The inbox of vulnerability reports, and Settings, Disclosure. */
export const inboxRoutes = routesOf(contract, {
  listInbox: async ({ workspaceId, query, now, deps: { db, sealing } }) =>
    listInbox(db, { workspaceId, tab: query.tab ?? 'new', cursor: query.cursor, now, sealing }),

  getInboxReport: async ({ workspaceId, params: { number }, deps: { db, sealing } }) =>
    showReport(db, { workspaceId, number, sealing }),

  messageReporter: async ({ body, deps: { db, sealing }, ...asked }) =>
    messageReporter(db, actOn(asked), { ...body, sealing }),

  noteOutsideAnswer: async ({ body, deps: { db, sealing }, ...asked }) =>
    noteOutsideAnswer(db, actOn(asked), { ...body, sealing }),

  noteOnReport: async ({ body, deps: { db, sealing }, ...asked }) =>
    noteOnReport(db, actOn(asked), { ...body, sealing }),

  moveReport: async ({ body, deps: { db }, ...asked }) => moveReport(db, actOn(asked), body),

  changeReport: async ({ body, deps: { db }, ...asked }) => changeReport(db, actOn(asked), body),

  markDuplicate: async ({ body, deps: { db }, ...asked }) => markDuplicate(db, actOn(asked), body.of),

  markSpam: async ({ deps: { db }, ...asked }) => markSpam(db, actOn(asked)),

  markNotSpam: async ({ deps: { db }, ...asked }) => markNotSpam(db, actOn(asked)),

  openIncidentFromReport: async ({ body, deps: { db }, ...asked }) =>
    openIncidentFromReport(db, personActOn(asked), body),

  linkReportToIncident: async ({ body, deps: { db }, ...asked }) =>
    linkIncident(db, personActOn(asked), body.incident),

  unlinkReportFromIncident: async ({ params, deps: { db, sealing }, ...asked }) =>
    unlinkIncident(db, personActOn({ ...asked, params }), { incidentId: params.incident, sealing }),

  prefillAdvisoryFromReport: async ({ workspaceId, params: { number }, deps: { db, sealing } }) =>
    beginFromReport(db, { workspaceId, number, sealing }),

  showCredit: async ({ body, deps: { db, sealing }, ...asked }) =>
    showCredit(db, { ...actOn(asked), sealing }, body),

  hideCredit: async ({ deps: { db }, ...asked }) => hideCredit(db, actOn(asked)),

  eraseReport: async ({ body, deps: { db, sealing }, ...asked }) =>
    eraseReport(db, { ...actOn(asked), sealing }, body.confirmNumber),

  downloadAttachment: async ({ workspaceId, params, deps: { db, sealing, originals } }) => {
    const { number, attachment: attachmentId } = params
    const { name, bytes } = await openAttachment(db, {
      workspaceId,
      number,
      attachmentId,
      sealing,
      originals,
    })
    return { fileName: name, content: bytes, type: 'application/octet-stream' as const }
  },

  getDisclosureSettings: async ({ workspaceId, params: { slug }, now, deps }) => {
    const { db, baseUrl, sealing } = deps
    const feedUrl = await announcedFeed(db, { workspaceId, slug }, baseUrl)
    return showDisclosureSettings(db, { workspaceId, baseUrl, now, sealing, feedUrl })
  },

  changeDisclosureSettings: async ({ workspaceId, actor, now, body, deps }) =>
    changeDisclosureSettings(deps.db, { workspaceId, actor, now }, body),

  checkSecurityTxt: async ({ params: { slug }, now, deps }) => {
    const { db, baseUrl, outbound } = deps
    const disclosure = await selectDisclosureOf(db, slug, now)
    const { canonicalUrl: url } = disclosure
    if (url === null) {
      throw new ServiceError('conflict', { message: 'Save the address of your own security.txt first.' })
    }
    const feedUrl = await announcedFeed(db, disclosure, baseUrl)
    const expected = securityTxt({ disclosure, baseUrl, now, feedUrl })
    const { securityTxt: own, wellKnownSecurityTxt: wellKnown } = publicUrls(slug, baseUrl)
    return checkSecurityTxt(outbound, { url, ownUrls: [own, wellKnown], expected, now })
  },
})

function actOn({
  workspaceId,
  actor,
  now,
  params: { number },
}: Member & { params: { number: string } }): ReportAct {
  return { workspaceId, number, actor, now }
}

function personActOn(asked: Member & { params: { number: string } }) {
  return { ...actOn(asked), actor: personOf(asked.actor) }
}
