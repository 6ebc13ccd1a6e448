import type { Db } from '../../src/database/connection.ts'
import type { JobKind, JobPayload } from '../../src/jobs.ts'

/** The payload of a job of this kind, as enqueued. */
export function payloadOf<Kind extends JobKind>(_kind: Kind, job: { payload: unknown }): JobPayload[Kind] {
  return job.payload as JobPayload[Kind]
}

/** The payloads of pending jobs of a kind, in the order of enqueuing. */
export async function waitingOf<Kind extends JobKind>(db: Db, kind: Kind): Promise<JobPayload[Kind][]> {
  const jobs = await db.selectFrom('job').select('payload').where('kind', '=', kind).orderBy('id').execute()
  return jobs.map((job) => payloadOf(kind, job))
}
