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

type Claim = {
  worker: string
  limit: number
  /** The most that may be under way to one host from this process. */
  perHost: number
  /** Under way here, by host. */
  running: ReadonlyMap<string, number>
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

/** Takes the deliveries that wait longest, at most so many for one host. */
export async function claimDeliveries(db: Db, claim: Claim): Promise<ClaimedDelivery[]> {
  const { worker, limit, perHost, running, exceptWorkspaces } = claim
  const hosts = [...running.keys()]
  const used = [...running.values()]
  const saturated = hosts.filter((host) => (running.get(host) ?? 0) >= perHost)
  const { rows } = await sql<ClaimedDelivery>`
    with waiting as (
      select id, host, created_at from alert_delivery
      where state = 'pending' and host <> all(${saturated}::text[])
        and workspace_id <> all(${[...exceptWorkspaces]}::uuid[])
      order by created_at, id limit ${sql.lit(lookedAt)}
    ), turn as (
      select w.id, row_number() over (partition by w.host order by w.created_at, w.id) + coalesce(r.used, 0) as place,
        w.created_at
      from waiting w
      left join unnest(${hosts}::text[], ${used}::integer[]) r(host, used) on r.host = w.host
    ), held as (
      select id from alert_delivery
      where id = any(array(
          select id from turn where place <= ${perHost} order by created_at, id limit ${limit}
        )) and state = 'pending'
      for update skip locked
    )
    update alert_delivery d set state = 'sending', attempts = d.attempts + 1, leased_by = ${worker},
      leased_until = clock_timestamp() + make_interval(secs => ${sql.lit(leaseSeconds)})
    from held, alert_destination t, workspace w
    where d.id = held.id and t.id = d.destination_id and w.id = d.workspace_id
    returning d.id, d.workspace_id, d.destination_id, d.fact, d.host, t.kind, t.enabled, t.removed_at, t.url_sealed,
      t.secret_sealed, w.slug, w.company_name, w.plan, w.trial_ends_at, w.paid_until, w.closed_at
    ${prepared}`.execute(db)
  return rows
}
