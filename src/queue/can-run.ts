import { sql, type RawBuilder } from 'kysely'
import { knownKeys } from '../contract/known-keys.ts'
import { behindOf, jobKinds, togetherBy, type JobKind } from '../jobs.ts'
import { isOfKnownKind } from './known-kinds.ts'
import { latestRunAt } from './retry-pause.ts'

type Runner = {
  /** Product time. */
  now: Date
  /** Kinds that it does not take. */
  except: JobKind[]
  /** Takes jobs that wait for a retry at once. */
  ignoreBackoff: boolean
}

/** What the job of a kind would be done together with others on (`together` in jobs.ts); null: it is done alone. */
function partOf(job: string): RawBuilder<string | null> {
  const field = (name: string) => sql.ref(`${job}.${name}`)
  const parts = knownKeys(jobKinds).flatMap((kind) => {
    const part = togetherBy(kind)
    return part === undefined ? [] : sql`when ${sql.lit(kind)} then ${field('payload')}->>${sql.lit(part)}`
  })
  return sql`(case ${field('kind')} ${sql.join(parts, sql` `)} end)`
}

/** `running`: all that is at work. */
export const runningJobs = sql`running as materialized (
      select r.id, r.kind, r.key, r.workspace_id, ${partOf('r')} as part from job r where r.state = 'running'
    )`

/** Whether no other job of its kind runs on the part of the job `j`. */
const isPartFree = sql`(${partOf('j')} is null
      or (j.kind, j.workspace_id, ${partOf('j')}) not in (select kind, workspace_id, part from running where part is not null))`

/** Whether nothing runs that the waiting job `j` stays behind (`behind` in jobs.ts). Later ones are not waited for: they might never end. */
const isNotAhead = sql.join(
  knownKeys(jobKinds).flatMap((kind) => {
    const first = behindOf(kind)
    if (first === undefined) return []
    return sql`not (j.kind = ${sql.lit(kind)} and exists (
      select from running r where r.kind = ${sql.lit(first)} and r.workspace_id = j.workspace_id and r.id < j.id))`
  }),
  sql` and `,
)

/** Whether no job of `running` blocks the waiting job `j`. */
export const isFree = sql`(j.key is null or (j.kind, j.key) not in (select kind, key from running where key is not null))
    and ${isPartFree} and ${isNotAhead}`

/** Whether the waiting job `j` is due, and the runner takes it. */
export function canRun({ now, ignoreBackoff, except }: Runner): RawBuilder<unknown> {
  return sql`(j.run_at <= ${now} or (${ignoreBackoff} and j.attempts > 0) or j.run_at > ${latestRunAt(sql`j.attempts`, now)})
    and ${isOfKnownKind(sql`j.kind`)} and j.kind <> all(${except}::text[]) and ${isFree}`
}
