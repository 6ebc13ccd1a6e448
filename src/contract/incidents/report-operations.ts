import { Type } from 'typebox'
import { regimes, reportStages } from '../alerts/events.ts'
import { DraftPresence } from './report-drafts.ts'
import { SameReport } from './waiting.ts'
import { ReportDraftDetail } from './shapes.ts'
import { submissionKinds } from './words.ts'
import { BulkResult } from './bulk-result.ts'
import { answer, nothing, operation } from '../operation.ts'
import { extended } from '../schema.ts'

const incident = '/workspaces/:slug/incidents/:incident'
const OptionalText = Type.Optional(Type.String())

/** The law does not pause: filing works while a workspace is read-only, until it is closed. */
const worksReadOnly = 'until_closed'

const report = `${incident}/reports/:report` as const

/** Dozens of fields, each with as much text as is allowed. */
const bytesOfTexts = 2 * 1024 * 1024

/** As it was saved, otherwise made from what is known and from the previous stage. */
export const getDraft = operation({
  method: 'GET',
  path: `${report}/draft`,
  permission: 'any_member',
  answer: answer(ReportDraftDetail),
})

/** `values`: all of them. `revision`: of the draft that was read; 409 `conflict` when it was saved since, naming who did and when. */
export const saveDraft = operation({
  method: 'PATCH',
  path: `${report}/draft`,
  permission: 'work_on_incidents',
  body: Type.Object({ revision: Type.Integer(), values: Type.Record(Type.String(), Type.Unknown()) }),
  bodyBytes: bytesOfTexts,
  worksReadOnly,
  answer: answer(ReportDraftDetail),
})

/** Copies what was saved for the same report of `from`, an incident on the same vulnerability; products, components and times stay its own. */
export const copyDraft = operation({
  method: 'POST',
  path: `${report}/draft/copy`,
  permission: 'work_on_incidents',
  body: Type.Object({ from: Type.String(), revision: Type.Integer() }),
  worksReadOnly,
  answer: answer(ReportDraftDetail),
})

/**
 * Says that the asking member has the draft open and whether they are writing in it, and answers who else has: sent again every few seconds.
 */
export const showDraftPresence = operation({
  method: 'POST',
  path: `${report}/draft/presence`,
  permission: 'work_on_incidents',
  body: Type.Object({ isWriting: Type.Boolean() }),
  worksReadOnly,
  answer: answer(DraftPresence),
})

const filing = {
  kind: Type.Enum(submissionKinds),
  submittedAt: Type.String(),
  channel: Type.String(),
  authority: OptionalText,
  reference: OptionalText,
  /** Why it is late. */
  delayReason: OptionalText,
  /** The texts of drafts as the page shows them, saved or not, by the id of their report; the others as the service has them. */
  texts: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
}

/** Records what was filed at the authority, with the text of its draft at that moment. Never waits for an approval. */
export const recordSubmission = operation({
  method: 'POST',
  path: `${report}/submissions`,
  permission: 'work_on_incidents',
  body: Type.Object({
    ...filing,
    /** Ids of other reports of the regime that were filed with it. */
    alsoCovers: Type.Optional(Type.Array(Type.String())),
  }),
  bodyBytes: bytesOfTexts,
  worksReadOnly,
  answer: answer(Type.Object({ id: Type.String() }), 201),
})

/** The same report of other open incidents on the vulnerability, the one due first in front: for which the draft and the filing can serve as well. */
export const listSameReports = operation({
  method: 'GET',
  path: `${report}/same`,
  permission: 'any_member',
  answer: answer(Type.Object({ reports: Type.Array(SameReport) })),
})

const bulk = '/workspaces/:slug/incidents/bulk'
const maxIncidents = 200
const sameReport = { regime: Type.Enum(regimes), report: Type.Enum(reportStages) }

/**
 * One filing for the same report of incidents on one vulnerability: each keeps a record of its own, and what is refused on one is named. 400
 * `invalid_request` when it is right for none of them.
 */
export const recordSubmissions = operation({
  method: 'POST',
  path: `${bulk}/submissions`,
  permission: 'work_on_incidents',
  body: Type.Object({
    incidents: Type.Array(Type.String(), { minItems: 1, maxItems: maxIncidents }),
    ...sameReport,
    ...filing,
    /** Other stages of the regime that were filed with it. */
    alsoCovers: Type.Optional(Type.Array(Type.Enum(reportStages), { maxItems: reportStages.length })),
  }),
  bodyBytes: bytesOfTexts,
  worksReadOnly,
  answer: answer(
    extended(BulkResult, {
      submissions: Type.Array(Type.Object({ incident: Type.String(), id: Type.String() })),
    }),
  ),
})

/**
 * Takes over what was saved for a report of `from` for the same report of other incidents on the vulnerability; products, components and times stay
 * their own. `revision`: of each draft as it was read, 0 where none is saved: a draft that was saved since stays as it is, and is named.
 */
export const copyDrafts = operation({
  method: 'POST',
  path: `${bulk}/drafts`,
  permission: 'work_on_incidents',
  body: Type.Object({
    from: Type.String(),
    ...sameReport,
    incidents: Type.Array(Type.Object({ incident: Type.String(), revision: Type.Integer() }), {
      minItems: 1,
      maxItems: maxIncidents,
    }),
  }),
  worksReadOnly,
  answer: answer(BulkResult),
})

/** A typing error in the time of a submission. */
export const correctSubmission = operation({
  method: 'PATCH',
  path: `${incident}/submissions/:submission`,
  permission: 'approve_incidents',
  body: Type.Object({
    submittedAt: Type.String(),
    reason: Type.String(),
    /** Why it was late, where only the corrected time is. */
    delayReason: OptionalText,
  }),
  worksReadOnly,
  answer: nothing,
})

/** What the authority answered: a file of any kind, at most 10 MB, once for a submission. `name`: of the file. */
export const addReceipt = operation({
  method: 'POST',
  path: `${incident}/submissions/:submission/receipt`,
  permission: 'work_on_incidents',
  query: { name: 'text' },
  body: 'file',
  worksReadOnly,
  answer: nothing,
})

/** The receipt, as an attachment. */
export const getReceipt = operation({
  method: 'GET',
  path: `${incident}/submissions/:submission/receipt`,
  permission: 'any_member',
  answer: 'file',
})

/** A breach of personal data that is unlikely to be a risk to people is not notified (GDPR Art. 33(1)). */
export const waiveReport = operation({
  method: 'POST',
  path: `${report}/waiver`,
  permission: 'approve_incidents',
  body: Type.Object({ reason: Type.String() }),
  worksReadOnly,
  answer: nothing,
})

/** The evidence file for an authority, as JSON (contract/incidents/incident-evidence.ts). */
export const exportIncident = operation({
  method: 'GET',
  path: `${incident}/evidence`,
  permission: 'any_member',
  answer: 'file',
})

/** The same as a page that prints well. */
export const showEvidence = operation({
  method: 'GET',
  path: `${incident}/evidence.html`,
  permission: 'any_member',
  answer: 'page',
})
