import * as contract from '../../contract/findings/operations.ts'
import {
  decideFindings,
  revokeDecisions,
  selectDecisionHistory,
  undoDecisions,
} from '../../findings/verdicts/decide-findings.ts'
import { explainFinding } from '../../vulnerabilities/evidence/explain-finding.ts'
import { routesOf } from './routing/handle.ts'

/** Findings, and what members decide about them. */
export const findingRoutes = routesOf(contract, {
  getFinding: ({ workspaceId, now, params, deps }) =>
    explainFinding(deps.db, { workspaceId, findingId: params.finding, now }),

  listDecisions: async ({ workspaceId, now, params, deps }) => ({
    decisions: await selectDecisionHistory(deps.db, { workspaceId, findingId: params.finding, now }),
  }),

  decideFindings: ({ workspaceId, actor, now, body, deps }) =>
    decideFindings(deps.db, { workspaceId, actor, now }, body),

  revokeDecision: async ({ workspaceId, actor, now, params, deps }) => {
    await revokeDecisions(deps.db, { workspaceId, actor, now }, { decisionId: params.decision })
  },

  revokeBatch: async ({ workspaceId, actor, now, params, deps }) => ({
    revoked: await revokeDecisions(deps.db, { workspaceId, actor, now }, { batchId: params.batch }),
  }),

  undoBatch: async ({ workspaceId, actor, now, params, deps }) => ({
    revoked: await undoDecisions(deps.db, { workspaceId, actor, now }, params.batch),
  }),
})
