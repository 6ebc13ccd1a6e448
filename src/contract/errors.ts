import { knownKeys } from './known-keys.ts'

/**
 * Every refusal that the service can answer, with its one HTTP status (docs/public-api.md, "Errors"). Domain code
 * throws codes; only http/ deals in statuses.
 */
export const errorCodes = {
  invalid_json: { status: 400, message: 'The body is not valid JSON.' },
  invalid_sbom: { status: 400, message: 'The document is recognised, but its structure is broken.' },
  invalid_vex: { status: 400, message: 'The document is recognised, but its structure is broken.' },
  invalid_notification: { status: 400, message: 'The body is not a BOM notification of the platform.' },
  invalid_request: { status: 400, message: 'Some fields are missing or invalid.' },
  empty: { status: 400, message: 'The body is empty.' },
  bad_encoding: { status: 400, message: 'The body cannot be decompressed.' },
  unauthorized: { status: 401, message: 'A valid API token is required.' },
  signed_out: { status: 401, message: 'Sign in to continue.' },
  billing_lapsed: { status: 402, message: 'The workspace is read-only.' },
  plan_required: { status: 403, message: 'The plan of the workspace does not include this.' },
  forbidden: { status: 403, message: 'Your role does not allow this.' },
  confirmation_required: { status: 403, message: 'Confirm that it is you to continue.' },
  single_sign_on_required: {
    status: 403,
    message: 'This workspace asks its members to sign in with the company.',
  },
  second_factor_required: { status: 403, message: 'This workspace asks for a second factor.' },
  family_not_found: { status: 404, message: 'The product family of this token is no longer available.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This address does not support the method.' },
  timeout: { status: 408, message: 'The request was not completed in time.' },
  conflict: { status: 409, message: 'The state of the resource does not allow this.' },
  too_large: { status: 413, message: 'The body is too large.' },
  xml_unsupported: { status: 415, message: 'XML SBOMs are not read. Send CycloneDX or SPDX as JSON.' },
  unsupported_format: {
    status: 415,
    message: 'The document is neither CycloneDX 1.4-1.7 nor SPDX 2.2-2.3 JSON.',
  },
  unsupported_vex: {
    status: 415,
    message: 'The document is neither OpenVEX, CSAF 2.0 VEX nor CycloneDX 1.4-1.7 with vulnerabilities.',
  },
  unsupported_media_type: { status: 415, message: 'The notification must be sent as JSON.' },
  too_many_components: { status: 422, message: 'The SBOM has more than 50 000 components.' },
  too_many_statements: { status: 422, message: 'The document has more than 50 000 statements.' },
  no_statements: { status: 422, message: 'The document has no vulnerability statements or findings.' },
  bom_omitted: { status: 422, message: 'The notification carries no BOM.' },
  rate_limited: { status: 429, message: 'The hourly limit of requests is used up.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  internal: { status: 500, message: 'The service could not complete the request. Try again.' },
  not_configured: { status: 503, message: 'The service is not configured for this at the moment.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof errorCodes
export const errorCodeNames = knownKeys(errorCodes)

/** The body of every error answer under /api. */
export type ErrorBody = {
  error: ErrorCode
  message: string
  detail?: string
  /** Only with `invalid_request`: each missing or invalid field and what is wrong with it. */
  fields?: Record<string, string>
}

type Refusal = {
  /** Replaces the code's default message where the contract asks for a more precise one. */
  message?: string
  detail?: string
  fields?: Record<string, string>
  retryAfterSeconds?: number
}

/** An expected refusal. Anything else that is thrown is a defect and is answered as `internal`. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly detail: string | undefined
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, refusal: Refusal = {}) {
    super(refusal.message ?? errorCodes[code].message)
    this.name = 'ServiceError'
    this.code = code
    this.detail = refusal.detail
    this.fields = refusal.fields
    this.retryAfterSeconds = refusal.retryAfterSeconds
  }
}
