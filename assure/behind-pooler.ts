import { hasPooler } from '../test/support/pooler.ts'
import { runBehindPooler } from '../test/reliability/scenarios/behind-pooler.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { canReplicate } from '../test/reliability/scenarios/server-group.ts'

/** Four processes share the sessions of PgBouncer, which is started again ten times under load. */
export async function behindPooler(): Promise<Outcome> {
  if (!hasPooler || !canReplicate)
    return { figures: {}, failures: ['there is no PgBouncer, or no PostgreSQL 15 besides'] }
  const { badAnswers, ...figures } = await runBehindPooler({ drops: 10, uploadsBetween: 100 })
  return { figures, failures: badAnswers }
}
