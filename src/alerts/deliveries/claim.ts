import { sql } from 'kysely'
import type { DestinationKind } from '../../contract/alerts.ts'
import type { DeliveryFact } from '../../contract/events.ts'
import type { Plan } from '../../contract/plans.ts'
import type { Db } from '../../database/connection.ts'
import { prepared } from '../../platform/postgres/prepared.ts'

/** A delivery whose turn has come, with everything that decides whether and how it is sent, as it is now. */
export type ClaimedDelivery = {
  id: string
  workspace_id: string
  destination_id: string
  fact: DeliveryFact
  host: string
  /** Which attempt this is: no other one records as this one. */
  attempts: number
  kind: DestinationKind
  enabled: boolean
  removed_at: Date | null
  url_sealed: Buffer | null
  secret_sealed: Buffer | null
  slug: string
  company_name: string
  plan: Plan
  trial_ends_at: Date | null
  paid_until: Date | null
  closed_at: Date | null
}

/** Posts under way in this process, of one workspace to one host. */
export type RunningPosts = { workspaceId: string; host: string; posts: number }

type Claim = {
  worker: string
  limit: number
  /** The most that may be under way from this process: of one workspace to one host, and to one host in all. */
  most: { ofWorkspace: number; toHost: number }
  running: readonly RunningPosts[]
  /** Workspaces that have their share under way. */
  exceptWorkspaces: readonly string[]
}

/**
 * Real time a process holds a delivery; one that dies while it sends leaves it to the others after that. Well beyond the deadline of a
 * delivery, so that what is still being sent is never taken over.
 */
const leaseSeconds = 15
/** A queue may be thousands long. */
const lookedAt = 1_000

/**
 * Takes the deliveries that wait longest, at most so many for one host. A host that one workspace keeps waiting is free for the others:
 * nobody can hold up the alerts of a stranger by naming his host.
 */
export async function claimDeliveries(db: Db, claim: Claim): Promise<ClaimedDelivery[]> {
  const { worker, limit, most, running, exceptWorkspaces } = claim
  const workspaces = running.map(({ workspaceId }) => workspaceId)
  const hosts = running.map(({ host }) => host)
  const posts = running.map((under) => under.posts)
  const { rows } = await sql<ClaimedDelivery>`
    with running as materialized (
      select * from unnest(${workspaces}::uuid[], ${hosts}::text[], ${posts}::integer[]) r(workspace_id, host, posts)
    ), busy as materialized (
      select host, sum(posts)::integer as posts from running group by host
    ), waiting as (
      select id, workspace_id, host, created_at from alert_delivery
      where state = 'pending' and workspace_id <> all(${[...exceptWorkspaces]}::uuid[])
        and (workspace_id, host) not in (select workspace_id, host from running where posts >= ${most.ofWorkspace})
        and host not in (select host from busy where posts >= ${most.toHost})
      order by created_at, id limit ${sql.lit(lookedAt)}
    ), turn as (
      select w.id, w.created_at,
        row_number() over (partition by w.workspace_id, w.host order by w.created_at, w.id) + coalesce(r.posts, 0) as own,
        row_number() over (partition by w.host order by w.created_at, w.id) + coalesce(b.posts, 0) as in_all
      from waiting w
      left join running r on r.workspace_id = w.workspace_id and r.host = w.host
      left join busy b on b.host = w.host
    ), held as (
      select id from alert_delivery
      where id = any(array(
          select id from turn where own <= ${most.ofWorkspace} and in_all <= ${most.toHost}
          order by created_at, id limit ${limit}
        )) and state = 'pending'
      for update skip locked
    )
    update alert_delivery d set state = 'sending', attempts = d.attempts + 1, leased_by = ${worker},
      leased_until = clock_timestamp() + make_interval(secs => ${sql.lit(leaseSeconds)})
    from held, alert_destination t, workspace w
    where d.id = held.id and t.id = d.destination_id and w.id = d.workspace_id
    returning d.id, d.workspace_id, d.destination_id, d.fact, d.host, d.attempts, t.kind, t.enabled, t.removed_at,
      t.url_sealed, t.secret_sealed, w.slug, w.company_name, w.plan, w.trial_ends_at, w.paid_until, w.closed_at
    ${prepared}`.execute(db)
  return rows
}
