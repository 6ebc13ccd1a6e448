import { runPromotion } from '../test/reliability/scenarios/promotion.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { canReplicate } from '../test/reliability/scenarios/server-group.ts'

/** The primary is killed and its standby promoted; then the host of that one falls silent, and the next is promoted. */
export async function promotion(): Promise<Outcome> {
  if (!canReplicate)
    return { figures: {}, failures: ['there is no pg_basebackup, of a PostgreSQL 15 or in POSTGRES_BIN_DIR'] }
  const { badAnswers, ...figures } = await runPromotion({})
  return { figures, failures: badAnswers }
}
