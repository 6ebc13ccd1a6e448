import * as contract from '../../../contract/incidents/report-operations.ts'
import { copyDraft, saveDraft } from '../../../incidents/drafts/save-draft.ts'
import { getDraft } from '../../../incidents/drafts/read-draft.ts'
import { showPresence } from '../../../incidents/drafts/presence.ts'
import { evidenceJson, evidenceOf } from '../../../views/evidence-file/evidence-file.ts'
import { evidencePage } from '../../../views/evidence-file/evidence-page.ts'
import { evidenceStyle } from '../../../views/evidence-file/evidence-style.ts'
import { noteExport } from '../../../incidents/record/note-export.ts'
import { correctSubmission } from '../../../incidents/submissions/correct-submission.ts'
import { copyDrafts, recordSubmissions } from '../../../incidents/several/file-for-several.ts'
import { addReceipt, maxReceiptBytes, selectReceipt } from '../../../incidents/submissions/receipts.ts'
import { recordSubmission } from '../../../incidents/submissions/record-submission.ts'
import { waiveReport } from '../../../incidents/submissions/waive-report.ts'
import { selectEvidence } from '../../../views/evidence-file/select-evidence.ts'
import { listSameReports } from '../../../incidents/reads/list-same-reports.ts'
import { routesOf, type Asked } from '../routing/handle.ts'
import { actAsMember, actOn } from './act-on.ts'

/** The evidence file, whose making is an act of its own. */
async function makeEvidence(
  asked: Asked<typeof contract.exportIncident> | Asked<typeof contract.showEvidence>,
  format: 'json' | 'page',
) {
  const { workspaceId, actor, now, params, deps } = asked
  const place = { workspaceId, incidentId: params.incident }
  const { switchedOff } = deps
  const evidence = evidenceOf(await selectEvidence(deps.db, { ...place, by: actor.name, now, switchedOff }))
  await noteExport(deps.db, { ...place, actor, now }, format)
  return evidence
}

/** Drafts of the reports of an incident, what was filed, and its evidence file. */
export const incidentReportRoutes = routesOf(contract, {
  getDraft: ({ workspaceId, now, params, deps }) =>
    getDraft(deps.db, { workspaceId, incidentId: params.incident, reportId: params.report, now }),

  saveDraft: ({ body, ...asked }) =>
    saveDraft(asked.deps.db, { ...actOn(asked), reportId: asked.params.report }, body),

  copyDraft: ({ body, ...asked }) =>
    copyDraft(asked.deps.db, { ...actOn(asked), reportId: asked.params.report }, body),

  showDraftPresence: ({ body, ...asked }) =>
    showPresence(asked.deps.db, { ...actOn(asked), reportId: asked.params.report }, body.isWriting),

  recordSubmission: async ({ body, ...asked }) => ({
    id: await recordSubmission(asked.deps.db, { ...actOn(asked), reportId: asked.params.report }, body),
  }),

  listSameReports: async ({ workspaceId, now, params, deps }) => {
    const place = { workspaceId, incidentId: params.incident, reportId: params.report }
    return { reports: await listSameReports(deps.db, { ...place, now }) }
  },

  recordSubmissions: ({ body: { incidents: ids, regime, report, ...filing }, ...asked }) =>
    recordSubmissions(asked.deps.db, actAsMember(asked), { ids, of: { regime, report }, filing }),

  copyDrafts: ({ body: { from, regime, report, incidents }, ...asked }) =>
    copyDrafts(asked.deps.db, actAsMember(asked), { from, of: { regime, report }, into: incidents }),

  correctSubmission: ({ body, ...asked }) =>
    correctSubmission(asked.deps.db, { ...actOn(asked), submissionId: asked.params.submission }, body),

  addReceipt: async (asked) => {
    const { query, deps, params } = asked
    const act = { ...actOn(asked), submissionId: params.submission }
    using body = await asked.readFile(maxReceiptBytes)
    await addReceipt(deps.db, act, { name: query.name ?? '', bytes: body.bytes }, deps.originals)
  },

  getReceipt: async ({ workspaceId, params, deps }) => {
    const place = { workspaceId, incidentId: params.incident, submissionId: params.submission }
    const { name, bytes } = await selectReceipt(deps.db, place, deps.originals)
    return { fileName: name, content: bytes, type: 'application/octet-stream' as const }
  },

  waiveReport: ({ body, ...asked }) =>
    waiveReport(asked.deps.db, { ...actOn(asked), reportId: asked.params.report }, body),

  exportIncident: async (asked) => {
    const evidence = await makeEvidence(asked, 'json')
    return { fileName: `${evidence.incident.reference}-evidence.json`, content: evidenceJson(evidence) }
  },

  showEvidence: async (asked) => ({
    page: evidencePage(await makeEvidence(asked, 'page')),
    style: evidenceStyle,
  }),
})
