import type { Socket } from 'node:net'
import { ServiceError } from '../../../contract/errors.ts'
import { worstFindings, type SbomResult } from '../../../contract/sbom/result.ts'
import type { Tx } from '../../../database/connection.ts'
import { isId } from '../../../platform/random.ts'
import { toResultCoverage } from '../../../inventory/coverage/coverage-states.ts'
import { selectCoverage } from '../../../inventory/coverage/coverage.ts'
import { selectDataBehind } from '../../../inventory/coverage/data-behind.ts'
import { countOwnFindings } from '../../../findings/reads/count-own-findings.ts'
import { selectWorstFindings } from '../../../findings/reads/worst-findings.ts'
import type { SbomKey } from '../../../findings/version-slot.ts'
import { awaitMatching, selectStoredSbom } from '../../../sbom/await-matching.ts'
import { sbomReceipt } from '../../../sbom/receipt.ts'
import { authenticateForFamily } from '../../../products/tokens/authenticate.ts'
import { refuseEndedMeanwhile } from '../../../products/tokens/lock-sender.ts'
import { noteCaller } from '../../caller.ts'
import { bearerToken } from '../../credentials.ts'
import { publicRoute, type PublicRequest } from '../public-route.ts'
import { examples } from './examples.ts'
import { operation } from './operation.ts'
import { words } from './words.ts'

const maxWaitSeconds = 30

/**
 * `GET /api/v1/sboms/{id}` for results tokens (docs/decisions/0009, "Results for CI"). Status, counts and coverage are from one snapshot: another
 * SBOM may replace this one at any moment.
 */
export const getSbomResult = publicRoute({ operation, words, examples }, async (asked) => {
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
  // once the connection is gone nobody waits; a client that has closed only its half is answered at once
  using farewell = farewellOf(request.socket)
  const stop = AbortSignal.any([deps.stopping, request.signal, farewell.signal])
  const max = wholeNumber(asked, 'worst', worstFindings.default, worstFindings.max)
  const waitSeconds = wholeNumber(asked, 'wait', 0, maxWaitSeconds)
  await awaitMatching(deps.db, key, { waitMs: waitSeconds * 1000, stop })
  return await deps.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await refuseEndedMeanwhile(tx, token, deps.now)
      const stored = await selectStoredSbom(tx, key)
      const now = deps.now()
      const matches = await countMatches(tx, key, now)
      const data = await selectDataBehind(tx, key, { switchedOff: deps.switchedOff, now })
      const pages = `${deps.baseUrl}/app/${stored.workspaceSlug}`
      const worst = await selectWorstFindings(tx, key, { pages, max })
      return { ...sbomReceipt(stored, deps.baseUrl), matches, data, ...(worst === null ? {} : { worst }) }
    })
})

/** Aborted when the client closes its side: it may be gone. */
function farewellOf(socket: Socket): Disposable & { signal: AbortSignal } {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  // it may have done so while the token was looked up
  if (socket.readableEnded) leave()
  else socket.once('end', leave)
  return { signal: leaving.signal, [Symbol.dispose]: () => socket.off('end', leave) }
}

async function countMatches(tx: Tx, key: SbomKey, now: Date): Promise<SbomResult['matches']> {
  const { total, bySeverity, exploited, malware, grades, notAffected, fixed } = await countOwnFindings(
    tx,
    key,
    now,
  )
  // a version with the fix is not affected either: every finding is counted once
  const counts = { total, bySeverity, byGrade: grades, exploited, malware, notAffected: notAffected + fixed }
  return { ...counts, coverage: toResultCoverage(await selectCoverage(tx, key)) }
}

/** Larger values count as the maximum. */
function wholeNumber(
  { query }: PublicRequest<typeof operation>,
  name: 'wait' | 'worst',
  otherwise: number,
  max: number,
): number {
  const text = query(name) ?? String(otherwise)
  if (!/^\d+$/.test(text)) {
    const unit = name === 'wait' ? 'whole seconds' : 'a whole number'
    throw new ServiceError('invalid_request', { fields: { [name]: `Expected ${unit} from 0 to ${max}.` } })
  }
  return Math.min(Number(text), max)
}
