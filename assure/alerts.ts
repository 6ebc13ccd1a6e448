import type { Db } from '../src/database/connection.ts'
import { runHostileDestinations } from '../test/reliability/scenarios/hostile-destinations.ts'
import { killDuringDeliveries } from '../test/reliability/scenarios/kill-during-deliveries.ts'
import { killDuringIncidents } from '../test/reliability/scenarios/kill-during-incidents.ts'
import { killDuringWarnings } from '../test/reliability/scenarios/kill-during-warnings.ts'
import type { Outcome } from '../test/reliability/scenarios/outcome.ts'
import { runSignedDeliveries } from '../test/reliability/scenarios/signed-deliveries.ts'
import { runSlowReceivers } from '../test/reliability/scenarios/slow-receivers.ts'
import { openDatabaseOf } from '../test/support/database-of.ts'
import { startRealService } from '../test/support/real-service.ts'

/** A database that nothing delivers from but the scenario; `storeEnv` is for processes of its own. */
async function onStore(
  run: (db: Db, storeEnv: Record<string, string>) => Promise<Outcome>,
): Promise<Outcome> {
  const real = await startRealService({ families: 1, role: 'serve' })
  const db = await openDatabaseOf(real.service, 'assure')
  try {
    return await run(db, { DATA_DIR: real.dataDir, DATABASE_URL: '' })
  } finally {
    await db.destroy()
    await real.close()
  }
}

export function hostileDestinations(): Promise<Outcome> {
  return onStore((db) => runHostileDestinations({ db, rebindings: 50 }))
}

export function slowReceivers(): Promise<Outcome> {
  return onStore((db) => runSlowReceivers({ db, healthy: 10, hanging: 100 }))
}

export function signedDeliveries(): Promise<Outcome> {
  return onStore((db) => runSignedDeliveries({ db, deliveries: 1_000 }))
}

export function killedDeliveries({
  kills,
  processes,
}: {
  kills: number
  processes: number
}): Promise<Outcome> {
  return onStore((db, storeEnv) => killDuringDeliveries({ db, storeEnv, kills, deliveries: 200, processes }))
}

export function killedIncidents({ kills }: { kills: number }): Promise<Outcome> {
  return onStore((db, storeEnv) => killDuringIncidents({ db, storeEnv, kills }))
}

export function killedWarnings({ kills, reports }: { kills: number; reports: number }): Promise<Outcome> {
  return onStore((db, storeEnv) => killDuringWarnings({ db, storeEnv, kills, reports }))
}
