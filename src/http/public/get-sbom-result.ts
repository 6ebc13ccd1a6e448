import { ServiceError } from '../../contract/errors.ts'
import type { getSbomResult as contract } from '../../contract/public/public-operations.ts'
import type { SbomResult } from '../../contract/sbom.ts'
import type { Tx } from '../../database/connection.ts'
import { isId } from '../../platform/random.ts'
import { toResultCoverage } from '../../views/coverage/coverage-states.ts'
import { selectCoverage } from '../../views/coverage/coverage.ts'
import { countOwnFindings } from '../../views/findings/count-own-findings.ts'
import type { SbomKey } from '../../findings/version-slot.ts'
import { awaitMatching, selectStoredSbom } from '../../sbom/await-matching.ts'
import { sbomReceipt } from '../../sbom/receipt.ts'
import { authenticateForFamily } from '../../workspace/tokens/authenticate.ts'
import { noteCaller } from '../caller.ts'
import { bearerToken } from '../credentials.ts'
import type { PublicRequest } from './public-route.ts'

const longestWaitSeconds = 30

/**
 * `GET /api/v1/sboms/{id}` for results tokens (docs/decisions/0009, "Results for CI"). Status, counts and coverage are of one state: another SBOM may
 * take the place of this one at any moment.
 */
export async function getSbomResult(asked: PublicRequest<typeof contract>): Promise<SbomResult> {
  const { deps, request } = asked
  const secret = bearerToken(request)
  const token = await authenticateForFamily(deps.db, {
    secret,
    kinds: ['results'],
    now: deps.now(),
    onKnown: (caller) => noteCaller(request, caller),
  })
  const sbomId = asked.parameter('id').toLowerCase()
  if (!isId(sbomId)) throw new ServiceError('not_found')
  const key = { workspaceId: token.workspaceId, familyId: token.familyId, sbomId }
  // nobody waits any more once the connection is gone
  const stop = AbortSignal.any([deps.stopping, request.signal])
  await awaitMatching(deps.db, key, { waitMs: waitSeconds(asked) * 1000, stop })
  return deps.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const receipt = sbomReceipt(await selectStoredSbom(tx, key), deps.baseUrl)
      return { ...receipt, matches: await countMatches(tx, key, deps.now()) }
    })
}

async function countMatches(tx: Tx, key: SbomKey, now: Date): Promise<SbomResult['matches']> {
  const { total, bySeverity, exploited, grades, notAffected, fixed } = await countOwnFindings(tx, key, now)
  // a version that has the fix is not affected either: every finding is counted once
  const counts = { total, bySeverity, byGrade: grades, exploited, notAffected: notAffected + fixed }
  return { ...counts, coverage: toResultCoverage(await selectCoverage(tx, key)) }
}

function waitSeconds({ query }: PublicRequest<typeof contract>): number {
  const text = query('wait') ?? '0'
  if (!/^\d{1,9}$/.test(text)) {
    throw new ServiceError('invalid_request', {
      fields: { wait: `Expected whole seconds from 0 to ${longestWaitSeconds}.` },
    })
  }
  return Math.min(Number(text), longestWaitSeconds)
}
