import { sql, type RawBuilder } from 'kysely'
import type { DestinationKind } from '../../contract/alerts/shapes.ts'
import type { DeliveryFact } from '../../contract/alerts/events.ts'
import type { Db } from '../../database/connection.ts'
import { isAnswered } from '../../incidents/reports/is-answered.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import { planAndDates, type PlanAndDates } from '../../workspace/state.ts'

/** A delivery that is due, with everything that decides whether and how it is sent, as of now. */
export type ClaimedDelivery = PlanAndDates & {
  id: string
  workspace_id: string
  destination_id: string
  fact: DeliveryFact
  host: string
  /** The number of this attempt: no other one records with it. */
  attempts: number
  kind: DestinationKind
  enabled: boolean
  removed_at: Date | null
  url_sealed: Buffer | null
  secret_sealed: Buffer | null
  slug: string
  company_name: string
  time_zone: string
  /** It warns of a report that is no longer open. */
  is_answered: boolean
}

/** What this process knows of its posts to one destination: how many are under way, how many may be, and when the last one began that is not recorded yet. */
export type ReceiverTurns = {
  workspaceId: string
  host: string
  destinationId: string
  posts: number
  max: number
  unrecordedAt: Date | null
}

type Claim = {
  worker: string
  limit: number
  /** For any other destination one delivery is taken. */
  turns: readonly ReceiverTurns[]
  /** The maximum number of posts of one workspace to one host. */
  maxOfWorkspace: number
  /** The maximum number of posts to one host, of all workspaces together. */
  maxToHost: number
  /** Workspaces that have their share under way. */
  exceptWorkspaces: readonly string[]
  /** Product time. */
  now: Date
}

/** Real time that a process keeps a delivery without renewing; after that the others take over from a process that died while sending. */
export const leaseSeconds = 15
export const renewEveryMs = 5_000

/**
 * Claims deliveries, at most so many for one destination and one host. A slow destination leaves its host free for the others there, and one
 * workspace cannot occupy a host: no workspace can delay the alerts of another by naming the same host. Where there are more than can be
 * posted, destinations take turns: what queues at hundreds of slow ones waits behind a new alert elsewhere, however old it is. Walks the index
 * alert_delivery_waiting from one destination to the next, so that rows behind a slow one are not read.
 */
export async function claimDeliveries(db: Db, claim: Claim): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    with recursive ${waiting(claim)}, locked as (
      select id from alert_delivery
      where id = any(array(
          select w.id from waiting w where place <= in_all order by ${inTurn} limit ${claim.limit}
        )) and state = 'pending'
      for update skip locked
    )
    update alert_delivery d set state = 'sending', attempts = d.attempts + 1, leased_by = ${claim.worker},
      leased_until = clock_timestamp() + make_interval(secs => ${sql.lit(leaseSeconds)})
    from locked, alert_destination t, workspace w
    where d.id = locked.id and t.id = d.destination_id and w.id = d.workspace_id
    returning d.id, d.workspace_id, d.destination_id, d.fact, d.host, d.attempts, t.kind, t.enabled, t.removed_at,
      t.url_sealed, t.secret_sealed, w.slug, w.company_name, w.time_zone, ${planAndDates('w')},
      ${isAnswered(sql.ref('d.type'), sql.ref('d.event_id'))} as is_answered
    ${prepared}`.execute(db)
  return rows
}

/** The destination that was posted to longest ago is next, and one that never was before all; of one destination, and of new ones, what is oldest. */
const inTurn = sql`w.last_post nulls first, w.created_at, w.id`

/** The table `waiting`: the due deliveries of each destination, with their `place` among those of its host and the free slots `in_all` there. */
function waiting({ turns, maxOfWorkspace, maxToHost, exceptWorkspaces, now }: Claim): RawBuilder<unknown> {
  const workspaces = turns.map(({ workspaceId }) => workspaceId)
  const hosts = turns.map(({ host }) => host)
  const destinations = turns.map(({ destinationId }) => destinationId)
  const posts = turns.map((turn) => turn.posts)
  const max = turns.map((turn) => turn.max)
  const unrecordedAt = turns.map((turn) => turn.unrecordedAt)
  return sql`
    receiver (workspace_id, host, destination_id) as (
      (
        select workspace_id, host, destination_id from alert_delivery where state = 'pending'
        order by workspace_id, host, destination_id limit 1
      )
      union all
      select next.workspace_id, next.host, next.destination_id from receiver r cross join lateral (
        select d.workspace_id, d.host, d.destination_id from alert_delivery d
        where d.state = 'pending'
          and (d.workspace_id, d.host, d.destination_id) > (r.workspace_id, r.host, r.destination_id)
        order by d.workspace_id, d.host, d.destination_id limit 1
      ) next
    ), turns as materialized (
      select * from unnest(
        ${workspaces}::uuid[], ${hosts}::text[], ${destinations}::uuid[], ${posts}::integer[], ${max}::integer[],
        ${unrecordedAt}::timestamptz[]
      ) t(workspace_id, host, destination_id, posts, max, unrecorded_at)
    ), busy as materialized (
      select workspace_id, host, sum(posts)::integer as posts from turns group by workspace_id, host
    ), busy_host as materialized (
      select host, sum(posts)::integer as posts from busy group by host
    ), room as (
      select r.workspace_id, r.host, r.destination_id,
        -- what is much later than now was sent before the clock was set back; a little later, while this claim was on its way
        greatest(
          t.unrecorded_at,
          case when n.last_delivery_at <= ${now}::timestamptz + interval '1 minute' then n.last_delivery_at end
        ) as last_post,
        coalesce(t.max, 1) - coalesce(t.posts, 0) as own,
        ${maxOfWorkspace}::integer - coalesce(o.posts, 0) as of_workspace,
        ${maxToHost}::integer - coalesce(b.posts, 0) as in_all
      from receiver r
      join alert_destination n on n.id = r.destination_id
      left join turns t on t.destination_id = r.destination_id and t.host = r.host
      left join busy o on o.workspace_id = r.workspace_id and o.host = r.host
      left join busy_host b on b.host = r.host
      where r.workspace_id <> all(${[...exceptWorkspaces]}::uuid[])
    ), oldest as (
      select w.id, w.created_at, w.last_post, r.host, r.of_workspace, r.in_all,
        row_number() over (partition by r.workspace_id, r.host order by ${inTurn}) as place
      from room r cross join lateral (
        select d.id, d.created_at, r.last_post from alert_delivery d
        where d.state = 'pending' and d.workspace_id = r.workspace_id and d.host = r.host
          and d.destination_id = r.destination_id
        order by d.created_at, d.id limit greatest(least(r.own, r.of_workspace, r.in_all), 0)
      ) w
    ), waiting as (
      select w.id, w.created_at, w.last_post, w.in_all, row_number() over (partition by w.host order by ${inTurn}) as place
      from oldest w where place <= of_workspace
    )`
}

/** Renews deliveries that are under way: those still being sent or recorded are never taken over. */
export async function renewDeliveryLeases(db: Db, worker: string, ids: readonly string[]): Promise<void> {
  await sql`
    with locked as (
      select id from alert_delivery where state = 'sending' and leased_by = ${worker} and id = any(${[...ids]}::uuid[])
      order by id for no key update skip locked
    )
    update alert_delivery d set leased_until = clock_timestamp() + make_interval(secs => ${sql.lit(leaseSeconds)})
    from locked where d.id = locked.id`.execute(db)
}
