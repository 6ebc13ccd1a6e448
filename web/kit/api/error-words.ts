import { ChangedMeanwhile } from '../form/changed-meanwhile.ts'
import { BrowserFailure } from './browser-failure.ts'
import { ApiFailure, type FailureCode } from './request.ts'

/** What happened, what to do, and technical detail that folds out. */
export type ErrorWords = { what: string; next: string; detail: string | null }

const nextSteps: Partial<Record<FailureCode, string>> = {
  unreachable: 'Check the connection, then try again.',
  unreadable: 'Try again. If this keeps happening, contact the operator of this installation.',
  internal: 'If this keeps happening, tell the operator of this installation what you did and when.',
  timeout: 'Try again.',
  forbidden: 'Ask an owner or admin of the workspace.',
  confirmation_required: 'Nothing was changed.',
  single_sign_on_required: 'Reload the page to sign in with your company.',
  second_factor_required: 'Set one up under Account and security.',
  not_found: 'It may have been removed, or it belongs to a workspace that you are not a member of.',
  billing_lapsed: 'Nothing was changed.',
  conflict: 'Someone may have changed it in the meantime. Reload the page to see the current state.',
  invalid_request: 'Correct the marked fields and try again.',
  empty: 'Choose a file that is not empty.',
  bad_encoding: 'The file is damaged. Compress it again, or send it uncompressed.',
  invalid_json: 'Check that the file is complete and valid JSON.',
  invalid_sbom: 'Fix the place named in the technical detail in the tool that wrote the file.',
  invalid_vex: 'Fix the place named in the technical detail in the tool that wrote the file.',
  xml_unsupported: 'Configure the tool that writes the SBOM to write JSON.',
  unsupported_format: 'Configure the tool that writes the SBOM to write one of these formats.',
  unsupported_vex: 'Configure the tool that writes the document to write one of these formats.',
  no_statements: 'There is nothing in it to store.',
  too_large: 'A file can be up to 50 MB, and 4 MB when compressed.',
  too_many_components: 'Split the product into several families, each with its own SBOM.',
  too_many_statements: 'Split it into several documents.',
  signed_out: 'Sign in again to continue.',
}

/** The only place that turns refusals and failures into words for people. */
export function errorWords(error: unknown): ErrorWords {
  if (error instanceof BrowserFailure)
    return { ...error.words, detail: error.cause instanceof Error ? error.cause.message : null }
  if (error instanceof ChangedMeanwhile)
    return {
      what: error.message,
      next: 'Nothing was saved. Read the marked fields, then save again.',
      detail: null,
    }
  if (!(error instanceof ApiFailure)) {
    return {
      what: 'This page could not be shown.',
      next: 'Reload the page. If this keeps happening, contact the operator of this installation.',
      detail: error instanceof Error ? error.message : null,
    }
  }
  return {
    what: error.message,
    next: nextOf(error),
    detail: [error.status, error.code, error.detail].filter((part) => part !== undefined).join(' · '),
  }
}

function nextOf({ code, retryAfterSeconds, mayBeDone, isKeyed }: ApiFailure): string {
  if (mayBeDone)
    return `The answer was lost: it may have been done all the same. ${isKeyed ? 'Try again as it is: it will not be done twice.' : 'Look before you try again.'}`
  if (code === 'rate_limited') return waitWords(retryAfterSeconds)
  // without a time, only the operator can act, as the message says
  if (code === 'not_configured')
    return retryAfterSeconds === undefined ? 'Nothing was changed.' : waitWords(retryAfterSeconds)
  return nextSteps[code] ?? 'Try again.'
}

function waitWords(seconds: number | undefined): string {
  if (seconds === undefined) return 'Wait a moment, then try again.'
  if (seconds < 60) return `Try again in ${seconds} s.`
  return `Try again in ${Math.ceil(seconds / 60)} min.`
}
