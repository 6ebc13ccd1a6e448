import { Page } from '../page.ts'
import { vexFormats, vexForms } from './shapes.ts'
import {
  vexDocumentStates,
  vexEntryFilters,
  ReportedFindingRow,
  VexDocumentDetail,
  VexDocumentRow,
  VexStatementPage,
} from './documents.ts'
import { answer, nothing, operation } from '../operation.ts'

const family = '/workspaces/:slug/families/:family'

/** Newest first. */
export const listVexDocuments = operation({
  method: 'GET',
  path: `${family}/vex`,
  permission: 'any_member',
  query: { state: vexDocumentStates, cursor: 'text' },
  answer: answer(Page(VexDocumentRow)),
})

/** `version` is the id of one, or `none` for the SBOMs without version. */
export const listReportedFindings = operation({
  method: 'GET',
  path: `${family}/reported-findings`,
  permission: 'any_member',
  query: { version: 'id_or_none', cursor: 'text' },
  answer: answer(Page(ReportedFindingRow)),
})

/**
 * A VEX document of the effective verdicts, `openvex` by default; `version` is a name. A form is one of its format, and `bom_link` links
 * into one SBOM: else 400 `invalid_request`. 422 `no_statements`.
 */
export const exportVex = operation({
  method: 'GET',
  path: `${family}/vex-export`,
  permission: 'any_member',
  query: { version: 'text', format: vexFormats, form: vexForms },
  answer: 'file',
})

const document = '/workspaces/:slug/vex/:document'

export const getVexDocument = operation({
  method: 'GET',
  path: document,
  permission: 'any_member',
  answer: answer(VexDocumentDetail),
})

/** `number`: that statement alone. */
export const listVexStatements = operation({
  method: 'GET',
  path: `${document}/statements`,
  permission: 'any_member',
  query: { show: vexEntryFilters, search: 'text', number: 'number', cursor: 'text' },
  answer: answer(VexStatementPage),
})

/** The original file. */
export const downloadVexDocument = operation({
  method: 'GET',
  path: `${document}/download`,
  permission: 'any_member',
  answer: 'file',
})

export const withdrawVexDocument = operation({
  method: 'POST',
  path: `${document}/withdraw`,
  permission: 'upload',
  answer: nothing,
})

export const restoreVexDocument = operation({
  method: 'POST',
  path: `${document}/restore`,
  permission: 'upload',
  answer: nothing,
})
