import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../contract/errors.ts'
import type { SbomResult } from '../contract/sbom.ts'
import { selectCoverage } from '../matching/coverage.ts'
import { countFindingsOfSbom } from '../matching/select-findings.ts'
import { awaitMatching, selectStoredSbom } from '../sbom/await-matching.ts'
import { sbomReceipt } from '../sbom/receipt.ts'
import { authenticateForFamily } from '../workspace/tokens/authenticate.ts'
import { bearerToken } from './credentials.ts'
import type { HttpDeps } from './deps.ts'
import { pathText, queryText } from './texts.ts'

const longestWaitSeconds = 30
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `GET /api/v1/sboms/{id}` for results tokens (decisions, "results for CI"). */
export async function getSbomResult(deps: HttpDeps, request: FastifyRequest): Promise<SbomResult> {
  const secret = bearerToken(request)
  const token = await authenticateForFamily(deps.db, { secret, kinds: ['results'], now: deps.now() })
  const sbomId = pathText(request, 'id')
  if (!uuid.test(sbomId)) throw new ServiceError('not_found')
  const key = { workspaceId: token.workspaceId, familyId: token.familyId, sbomId }
  await awaitMatching(deps.db, key, { waitMs: waitSeconds(request) * 1000, stop: deps.stopping })
  const receipt = sbomReceipt(await selectStoredSbom(deps.db, key), deps.baseUrl)
  const { total, bySeverity, exploited, grades, notAffected, fixed } = await countFindingsOfSbom(deps.db, key)
  // a version that has the fix is not affected either: every finding is counted once
  const counts = { total, bySeverity, byGrade: grades, exploited, notAffected: notAffected + fixed }
  return { ...receipt, matches: { ...counts, coverage: await selectCoverage(deps.db, key) } }
}

function waitSeconds(request: FastifyRequest): number {
  const text = queryText(request, 'wait') ?? '0'
  if (!/^\d{1,9}$/.test(text)) {
    throw new ServiceError('invalid_request', {
      fields: { wait: `Expected whole seconds from 0 to ${longestWaitSeconds}.` },
    })
  }
  return Math.min(Number(text), longestWaitSeconds)
}
