import { errorCodes, type ErrorBody, type ErrorCode } from '../../contract/errors.ts'

/** One request and its answer, as the documentation shows them. */
export type PublicExample = {
  /** Its key in the document: unique among those of an operation. */
  name: string
  summary: string
  request?: {
    /** JSON that is sent. */
    body?: unknown
    headers?: Readonly<Record<string, string>>
    query?: string
  }
  answer: { status: number; body?: unknown }
}

/** Addresses of the examples begin with it; the document has the address of the service in its place. */
export const exampleBase = 'https://monitor.example.com'
export const exampleId = '0190d3a8-5b7c-7000-8000-00000000a1b2'

/** What is said beside the code's own message, where a refusal says more. */
type Said = Pick<ErrorBody, 'detail' | 'fields'> & Partial<Pick<ErrorBody, 'message'>>

/** The answer to a request that is refused. Its name is the code. */
export function refused(code: ErrorCode, said: Said = {}): PublicExample {
  const { status, message } = errorCodes[code]
  return {
    name: code,
    summary: said.message ?? message,
    answer: { status, body: { error: code, message, ...said } },
  }
}

export const readOnly = refused('billing_lapsed', {
  message:
    'The workspace is read-only because its trial or subscription has ended. Settings → Billing says who can change that.',
})
