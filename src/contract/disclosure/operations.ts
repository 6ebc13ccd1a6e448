import { Type } from 'typebox'
import { AdvisoryBeginning } from '../advisories/shapes.ts'
import {
  inboxTabs,
  reportStates,
  DisclosureSettings,
  InboxPage,
  InboxReport,
  SecurityTxtCheck,
} from './shapes.ts'
import { openingBody } from '../incidents/opening-body.ts'
import { answer, nothing, operation } from '../operation.ts'
import { nullable } from '../schema.ts'

const inbox = '/workspaces/:slug/inbox'
const report = `${inbox}/:number` as const
const text = Type.Object({ text: Type.String() })
/** The longest text of people, each character in four bytes, and some of them escaped. */
const longTextBytes = 128 * 1024

export const listInbox = operation({
  method: 'GET',
  path: inbox,
  permission: 'see_inbox',
  query: { tab: inboxTabs, cursor: 'text' },
  answer: answer(InboxPage),
})

export const getInboxReport = operation({
  method: 'GET',
  path: report,
  permission: 'see_inbox',
  textParameters: ['number'],
  answer: answer(InboxReport),
})

/** Writes to the reporter; the first message acknowledges the report. */
export const messageReporter = operation({
  method: 'POST',
  path: `${report}/messages`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: text,
  bodyBytes: longTextBytes,
  answer: nothing,
})

/** How the reporter was answered elsewhere, which acknowledges the report too. */
export const noteOutsideAnswer = operation({
  method: 'POST',
  path: `${report}/outside-answers`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: text,
  bodyBytes: longTextBytes,
  answer: nothing,
})

export const noteOnReport = operation({
  method: 'POST',
  path: `${report}/notes`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: text,
  bodyBytes: longTextBytes,
  answer: nothing,
})

/** `from`: as the member saw it; a report that somebody else has moved meanwhile is refused. */
export const moveReport = operation({
  method: 'POST',
  path: `${report}/state`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: Type.Object({ from: Type.Enum(reportStates), to: Type.Enum(reportStates) }),
  answer: nothing,
})

export const changeReport = operation({
  method: 'PATCH',
  path: report,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: Type.Object({
    familyId: Type.Optional(nullable(Type.String({ format: 'uuid' }))),
    embargoUntil: Type.Optional(nullable(Type.String())),
    creditConsent: Type.Optional(Type.Boolean()),
  }),
  answer: nothing,
})

/** `of`: the number of the report that came first. */
export const markDuplicate = operation({
  method: 'POST',
  path: `${report}/duplicate`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: Type.Object({ of: Type.Integer({ minimum: 1, maximum: 999_999_999 }) }),
  answer: nothing,
})

export const markSpam = operation({
  method: 'POST',
  path: `${report}/spam`,
  permission: 'see_inbox',
  textParameters: ['number'],
  answer: nothing,
})

/** Only now do destinations and members hear of the report. */
export const markNotSpam = operation({
  method: 'DELETE',
  path: `${report}/spam`,
  permission: 'see_inbox',
  textParameters: ['number'],
  answer: nothing,
})

/**
 * Opens an incident that the report belongs to. `awareAt`: when the report came, if it is left out; another time needs `awareReason`.
 * `vulnerability`: may be left out while it has no id.
 */
export const openIncidentFromReport = operation({
  method: 'POST',
  path: `${report}/incidents`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: Type.Object({ ...openingBody.properties, awareReason: Type.Optional(Type.String()) }),
  answer: answer(Type.Object({ id: Type.String(), reference: Type.String() }), 201),
})

/** 409 `conflict` where the report belongs to it already. */
export const linkReportToIncident = operation({
  method: 'POST',
  path: `${report}/incident-links`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: Type.Object({ incident: Type.String({ format: 'uuid' }) }),
  answer: nothing,
})

/** Takes back a link that was a mistake; the incident stays as it is. 404 where the report is not linked to it. */
export const unlinkReportFromIncident = operation({
  method: 'DELETE',
  path: `${report}/incident-links/:incident`,
  permission: 'see_inbox',
  textParameters: ['number'],
  answer: nothing,
})

/** A draft with the credit the reporter agreed to, and nothing else of the report. Stores nothing. */
export const prefillAdvisoryFromReport = operation({
  method: 'GET',
  path: `${report}/advisory-prefill`,
  permission: 'see_inbox',
  textParameters: ['number'],
  answer: answer(AdvisoryBeginning),
})

/** Names a reporter who agreed to it on the page of acknowledgments. */
export const showCredit = operation({
  method: 'POST',
  path: `${report}/credit`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: Type.Object({ name: Type.String(), link: nullable(Type.String()) }),
  answer: nothing,
})

export const hideCredit = operation({
  method: 'DELETE',
  path: `${report}/credit`,
  permission: 'see_inbox',
  textParameters: ['number'],
  answer: nothing,
})

/** For good; the law asks for it in a read-only workspace too. */
export const eraseReport = operation({
  method: 'POST',
  path: `${report}/erase`,
  permission: 'see_inbox',
  textParameters: ['number'],
  body: Type.Object({ confirmNumber: Type.Integer() }),
  worksReadOnly: true,
  answer: nothing,
})

export const downloadAttachment = operation({
  method: 'GET',
  path: `${report}/attachments/:attachment`,
  permission: 'see_inbox',
  textParameters: ['number'],
  answer: 'file',
})

const settings = '/workspaces/:slug/disclosure'
const optional = <T extends Parameters<typeof Type.Union>[0][number]>(of: T) => Type.Optional(nullable(of))

export const getDisclosureSettings = operation({
  method: 'GET',
  path: settings,
  permission: 'manage_disclosure',
  answer: answer(DisclosureSettings),
})

export const changeDisclosureSettings = operation({
  method: 'PATCH',
  path: settings,
  permission: 'manage_disclosure',
  body: Type.Object({
    publicContactEmail: optional(Type.String()),
    policy: optional(Type.String()),
    acknowledgeDays: optional(Type.Integer()),
    canonicalUrl: optional(Type.String()),
    encryptionUrl: optional(Type.String()),
    languages: Type.Optional(Type.Array(Type.String())),
    embargoDays: Type.Optional(Type.Integer()),
    families: Type.Optional(Type.Array(Type.String({ format: 'uuid' }))),
  }),
  bodyBytes: longTextBytes,
  answer: nothing,
})

/** Reads the file at the Canonical URL that is saved. */
export const checkSecurityTxt = operation({
  method: 'POST',
  path: `${settings}/check`,
  permission: 'manage_disclosure',
  worksReadOnly: true,
  answer: answer(SecurityTxtCheck),
})
