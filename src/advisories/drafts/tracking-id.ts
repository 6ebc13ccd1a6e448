import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { Tx } from '../../database/connection.ts'
import { documentFileName, trackingIdProblem } from '../document/file-name.ts'

/** The next id of the year, `ACME-SA-2026-0001`; numbers whose file name is taken by a custom id are skipped. The feed is locked. */
export async function nextTrackingId(
  tx: Tx,
  { workspaceId, prefix, now }: { workspaceId: string; prefix: string; now: Date },
): Promise<string> {
  for (;;) {
    const { last } = await tx
      .insertInto('advisory_number')
      .values({ workspace_id: workspaceId, year: now.getUTCFullYear(), last: 1 })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'year']).doUpdateSet({ last: sql`advisory_number.last + 1` }),
      )
      .returning('last')
      .executeTakeFirstOrThrow()
    const trackingId = `${prefix}-${now.getUTCFullYear()}-${String(last).padStart(4, '0')}`
    if ((await selectHolder(tx, workspaceId, trackingId)) === undefined) return trackingId
  }
}

/** Codes: `invalid_request`. */
export function refuseMalformedId(trackingId: string): void {
  const problem = trackingIdProblem(trackingId)
  if (problem !== undefined) throw new ServiceError('invalid_request', { fields: { trackingId: problem } })
}

type Named = { workspaceId: string; trackingId: string; advisoryId: string }

/** Refuses an id whose file another advisory has. The feed is locked. Codes: `invalid_request`. */
export async function refuseTakenId(tx: Tx, { workspaceId, trackingId, advisoryId }: Named): Promise<void> {
  const holder = await selectHolder(tx, workspaceId, trackingId)
  if (holder !== undefined && holder !== advisoryId) {
    const taken = 'Another advisory has this ID, or one that gives the same file name.'
    throw new ServiceError('invalid_request', { fields: { trackingId: taken } })
  }
}

/** The advisory that has the file of the id. */
async function selectHolder(tx: Tx, workspaceId: string, trackingId: string): Promise<string | undefined> {
  const known = await tx
    .selectFrom('advisory')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('file_name', '=', documentFileName(trackingId))
    .executeTakeFirst()
  return known?.id
}
