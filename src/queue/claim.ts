import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database/connection.ts'
import { urgentKind, type JobKind } from '../jobs.ts'
import { canRun, isFree, runningJobs } from './can-run.ts'
import { clockSkewMs } from '../platform/clock.ts'
import { prepared } from '../platform/postgres/prepared.ts'
import { installation } from './enqueue.ts'
import { runsAlone } from './lost-runs.ts'
import { latestRunAt } from './retry-pause.ts'

export type ClaimedJob = {
  id: number
  kind: JobKind
  payload: unknown
  /** This run included. */
  attempts: number
  maxAttempts: number
  /** It has failed before. */
  isAlone: boolean
}

/** Real time that a worker keeps a job without renewing; a killed worker's job runs again within this and one sweep. */
export const leaseSeconds = 20

type Claim = {
  /** Product time. */
  now: Date
  worker: string
  /** Kinds this worker does not take. */
  except: JobKind[]
  /** Takes jobs that wait for a retry at once. */
  ignoreBackoff: boolean
  /** Of all claims of the worker. Without one each claim is the first of a round. */
  round?: ClaimRound
}

/** Where the claims of a worker go on in the round of workspaces. */
export type ClaimRound = {
  /** After the workspace that the last claim looked at last. */
  after: string
  /** More was due at the last claim than a claim examines without a round. */
  isLong: boolean
}

export function startRound(): ClaimRound {
  return { after: randomUUID(), isLong: false }
}

/** How many due jobs a claim examines, those due longest. */
const maxDue = 200
/** Where there are more, it looks at so many further workspaces, in turn. */
const maxTurns = 200

/**
 * Takes the next due job, an urgent one before all others: of the workspaces with the fewest running jobs first, then the one due longest. A job whose kind and
 * key are running elsewhere waits, and so does one of a kind that is done together while its part of the workspace is at work: those that
 * arrive meanwhile are the next run. With thousands of workspaces waiting a claim examines those whose jobs have been due longest, and the next ones
 * of a round in which each gets equally many turns: neither a thousand workspaces nor a thousand jobs of one slow down the others.
 */
export async function claimJob(db: Db, claim: Claim): Promise<ClaimedJob | undefined> {
  const round = claim.round ?? { after: installation, isLong: false }
  if (!round.isLong) {
    const { job, isLong } = await claimFromDue(db, claim)
    if (!isLong) return job
  }
  const start = round.after
  let isTurned = false
  for (;;) {
    const { job, turns, last, hasTurned } = await claimFromTurns(db, claim, round.after)
    round.after = last ?? round.after
    round.isLong = turns > 0
    if (job !== undefined || turns < maxTurns) return job
    isTurned ||= hasTurned
    if (isTurned && round.after >= start) return undefined
  }
}

type FromDue = { job: ClaimedJob | undefined; isLong: boolean }

/**
 * Looks at the workspaces of the jobs that are due longest, and takes none where these are not all that are due (`isLong`). Planning it takes half as
 * long as planning the walk.
 */
async function claimFromDue(db: Db, claim: Claim): Promise<FromDue> {
  const { rows } = await sql<{ isLong: boolean; job: ClaimedJob | null }>`
    with ${dueJobs(claim)}, looked_at as (
      select distinct on (id) id, run_at as first_due, job from (
        select * from due union all select * from ahead_of_clock
      ) each order by id, run_at, job
    ), ${claimedJob(claim, { unless: hasMoreDue })}
    select ${hasMoreDue} as "isLong", (select to_jsonb(claimed) from claimed) as job
    ${prepared}`.execute(db)
  const [row] = rows
  return { job: row?.job ?? undefined, isLong: row?.isLong ?? false }
}

type Turns = {
  job: ClaimedJob | undefined
  /** How many workspaces of the round were looked at; fewer than `maxTurns`: all of them; 0: all that is due was looked at without a round. */
  turns: number
  last: string | null
  /** The last workspace was passed, and the round went on with the first. */
  hasTurned: boolean
}

type ClaimedRow = { turns: number; last: string | null; hasTurned: boolean; job: ClaimedJob | null }

/**
 * Looks at the workspaces of the jobs that are due longest, and where these are not all that are due, at the next ones of the round. They are found by
 * walking the index job_waiting from one to the next.
 */
async function claimFromTurns(db: Db, claim: Claim, after: string): Promise<Turns> {
  const { rows } = await sql<ClaimedRow>`
    with recursive ${dueJobs(claim)}, ${walkFrom(after)}, looked_at as (
      select distinct on (id) id, run_at as first_due, job from (
        select * from due union all select * from ahead_of_clock union all select id, run_at, job from walked
      ) each order by id, run_at, job
    ), ${claimedJob(claim, { unless: sql`false` })}
    select (select count(*)::int from walked) as turns, (select w.id from walked w order by n desc limit 1) as last,
      exists (select from from_start) as "hasTurned", (select to_jsonb(claimed) from claimed) as job
    ${prepared}`.execute(db)
  const [row] = rows
  return {
    job: row?.job ?? undefined,
    turns: row?.turns ?? 0,
    last: row?.last ?? null,
    hasTurned: row?.hasTurned ?? false,
  }
}

/**
 * `due`, and where it is empty `ahead_of_clock`: waiting jobs that were enqueued before the clock was set back. Times are looked up, so that a plan
 * for one time is no better than the plan that a session keeps for all: it would make another one each time.
 */
function dueJobs({ now, ignoreBackoff }: Claim): RawBuilder<unknown> {
  return sql`due as materialized (
      select workspace_id as id, run_at, id as job from job
      where state = 'waiting' and run_at <= (select ${ignoreBackoff ? 'infinity' : now}::timestamptz)
      order by run_at, id limit ${sql.lit(maxDue)}
    ), ahead_of_clock as materialized (
      select j.workspace_id as id, j.run_at, j.id as job from job j
      where j.state = 'waiting' and not exists (select from due)
        and j.run_at > (select ${new Date(now.getTime() + clockSkewMs)}::timestamptz) and j.run_at > ${latestRunAt(sql`j.attempts`, now)}
      order by j.run_at desc limit ${sql.lit(maxDue)}
    )`
}

const hasMoreDue = sql`((select count(*) from due) = ${sql.lit(maxDue)})`

/** `claimed`: the urgent job, or one of the workspaces of `looked_at`. */
function claimedJob(claim: Claim, { unless }: { unless: RawBuilder<unknown> }): RawBuilder<unknown> {
  return sql`${runningJobs}, busy as materialized (
      select workspace_id as id, count(*) as running from running group by workspace_id
    ), turn as (
      select l.id from looked_at l left join busy b on b.id = l.id order by coalesce(b.running, 0), l.first_due, l.job
    ), claimed as (
      update job set state = 'running', attempts = attempts + 1, leased_by = ${claim.worker},
        leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where id = case when not ${unless} then coalesce((${urgentJob(claim)}), (
        select next.id from turn cross join lateral (
          select j.id from job j
          where j.state = 'waiting' and j.workspace_id = turn.id and ${canRun(claim)}
          order by j.run_at, j.id limit 1 for update skip locked
        ) next limit 1
      )) end
      returning id, kind, payload, attempts, max_attempts as "maxAttempts",
        ${runsAlone(sql`attempts - 1`, sql`last_error`)} as "isAlone"
    )`
}

/** Of the urgent jobs due longest so many are looked at; the others have their workspace's turn. */
const maxUrgent = 50

/** Of the workspace with the fewest running jobs. Index job_urgent. */
function urgentJob({ now, except }: Claim): RawBuilder<unknown> {
  return sql`
    select j.id from (
      select id from job
      where state = 'waiting' and kind = ${sql.lit(urgentKind)} and run_at <= ${now}
      order by run_at, id limit ${sql.lit(maxUrgent)}
    ) u
    join job j on j.id = u.id and j.state = 'waiting' and j.run_at <= ${now}
    left join busy b on b.id = j.workspace_id
    where ${sql.lit(urgentKind)} <> all(${except}::text[]) and ${isFree}
    order by coalesce(b.running, 0), j.run_at, j.id limit 1 for update of j skip locked`
}

/** `walked`: the next workspaces of the round, as far as the walk goes on behind the last one from the first (`from_start`). Reads `due`. */
function walkFrom(after: string): RawBuilder<unknown> {
  return sql`before_end(id, run_at, job, n) as (
    (select workspace_id, run_at, id, 1 from job
      where state = 'waiting' and workspace_id > ${after} and ${hasMoreDue}
      order by workspace_id, run_at, id limit 1)
    union all
    select j.*, w.n + 1 from before_end w cross join lateral (
      select workspace_id, run_at, id from job
      where state = 'waiting' and workspace_id > w.id order by workspace_id, run_at, id limit 1
    ) j where w.n < ${sql.lit(maxTurns)}
  ), from_start(id, run_at, job, n) as (
    (select workspace_id, run_at, id, walked.n + 1 from (select count(*)::int as n from before_end) walked cross join job
      where state = 'waiting' and workspace_id <= ${after} and ${hasMoreDue}
        and walked.n < ${sql.lit(maxTurns)}
      order by workspace_id, run_at, id limit 1)
    union all
    select j.*, w.n + 1 from from_start w cross join lateral (
      select workspace_id, run_at, id from job
      where state = 'waiting' and workspace_id > w.id and workspace_id <= ${after}
      order by workspace_id, run_at, id limit 1
    ) j where w.n < ${sql.lit(maxTurns)}
  ), walked as (
    select * from before_end union all select * from from_start
  )`
}
