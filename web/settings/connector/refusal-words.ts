import type { ConnectorRefusal } from '#contract/connector/shapes.ts'
import { errorCodes, type ErrorCode } from '#contract/errors.ts'

/** Why a request was refused, in one line. */
export function refusalWords({ error, detail }: Pick<ConnectorRefusal, 'error' | 'detail'>): string {
  return [errorCodes[error].message, detail].filter((part) => part !== null && part !== '').join(' ')
}

const cures: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'Create a new upload token for this family and enter it in the alert.',
  billing_lapsed: 'The workspace is read-only; nothing is accepted until it has a plan again.',
  family_not_found: 'Use a token of another family in the alert, or remove the alert.',
  too_large: 'Have a job fetch the BOM and send it compressed, as for version 5.',
  unsupported_media_type: 'Use the default template of the webhook publisher.',
  invalid_json: 'Use the default template of the webhook publisher.',
  invalid_notification: 'Use the default template of the webhook publisher.',
  xml_unsupported: 'Upload the BOM to the platform as JSON.',
  unsupported_format: 'Upload the BOM to the platform as CycloneDX 1.4 or later.',
  bom_omitted: 'Version 5 leaves the BOM out. Have a job fetch and send it, as described above.',
  too_many_components: 'Split the project into several, each with its own family.',
  rate_limited:
    'Choose one BOM group only, limit the alert to this family’s projects, or use a second token.',
}

/** What the operators of Dependency-Track can do about it. */
export function refusalCure(error: ErrorCode): string {
  return cures[error] ?? 'Upload the BOM to the platform again.'
}
