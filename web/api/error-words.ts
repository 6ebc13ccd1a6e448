import { PageNotLoaded } from './page-not-loaded.ts'
import { ApiFailure, type FailureCode } from './request.ts'

/** What happened, what to do, and the technical part that folds out. */
export type ErrorWords = { what: string; next: string; detail: string | null }

const nextSteps: Partial<Record<FailureCode, string>> = {
  unreachable: 'Check the connection, then try again.',
  unreadable: 'Try again. If it stays, tell the operator of this installation.',
  internal: 'If it stays, tell the operator of this installation what you did and when.',
  timeout: 'Try again.',
  forbidden: 'Ask an owner or admin of the workspace.',
  not_found: 'It may have been removed, or it belongs to a workspace you are not a member of.',
  billing_lapsed: 'Nothing was changed.',
  conflict: 'Someone may have changed it meanwhile. Reload the page to see its present state.',
  invalid_request: 'Correct the fields and send again.',
  empty: 'Choose a file that holds a document.',
  bad_encoding: 'The file is damaged. Compress it again, or send it as it was.',
  invalid_json: 'Check that the file is complete and is JSON.',
  invalid_sbom: 'Correct the place that the detail names in the tool that wrote the file.',
  invalid_vex: 'Correct the place that the detail names in the tool that wrote the file.',
  xml_unsupported: 'Let the tool that writes the SBOM write JSON.',
  unsupported_format: 'Let the tool that writes the SBOM write one of these.',
  unsupported_vex: 'Let the tool that writes the document write one of these.',
  no_statements: 'There is nothing in it to keep.',
  too_large: 'A file may have 50 MB, and 4 MB when compressed.',
  too_many_components: 'Split the product into several families, each with its own SBOM.',
  too_many_statements: 'Split the document into several.',
  signed_out: 'Sign in again to continue.',
}

/** The one place where refusals and failures become words for people. */
export function errorWords(error: unknown): ErrorWords {
  if (error instanceof PageNotLoaded) {
    return {
      what: 'This page could not be loaded.',
      next: 'The connection was lost, or the service was upgraded meanwhile.',
      detail: error.cause instanceof Error ? error.cause.message : null,
    }
  }
  if (!(error instanceof ApiFailure)) {
    return {
      what: 'This page could not be shown.',
      next: 'Reload the page. If it stays, tell the operator of this installation.',
      detail: error instanceof Error ? error.message : null,
    }
  }
  return {
    what: error.message,
    next:
      error.code === 'rate_limited'
        ? waitWords(error.retryAfterSeconds)
        : (nextSteps[error.code] ?? 'Try again.'),
    detail: [error.status, error.code, error.detail].filter((part) => part !== undefined).join(' · '),
  }
}

function waitWords(seconds: number | undefined): string {
  if (seconds === undefined) return 'Wait a while, then try again.'
  if (seconds < 60) return `Try again in ${seconds} s.`
  return `Try again in ${Math.ceil(seconds / 60)} min.`
}
