import { limits } from '../../contract/limits.ts'
import type { Refusals } from './public-refusals.ts'

/** Of every request with a workspace token. */
export const workspaceTokenRefusals: Refusals = [
  {
    code: 'unauthorized',
    when: 'the token is missing, invalid, revoked or expired, or it is not a workspace token (an upload token or results token is refused).',
  },
  {
    code: 'rate_limited',
    when: `over ${limits.requestsPerWindow} requests in the token's hour, counted over all three operations. Every authenticated request counts, refused ones too.`,
  },
]

/** What operations that change something can also answer. */
export const readOnlyRefusals: Refusals = [
  {
    code: 'billing_lapsed',
    when: 'the workspace is read-only, suspended or closed; the message says which.',
  },
]
