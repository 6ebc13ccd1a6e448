import { sql } from 'kysely'
import type { NoticeFact } from '../contract/notices/shapes.ts'
import type { TokenKind } from '../contract/tokens/shapes.ts'
import type { Db } from '../database/connection.ts'
import { dayMs } from '../contract/durations.ts'
import { enqueueNotice } from '../workspace/enqueue-notice.ts'
import { staysHere } from '../workspace/state.ts'

/** Days before the end of something at which members are warned. */
const thresholds = [14, 3] as const
const keptDays = 30

type Period = { objectId: string; workspaceId: string; beganAt: Date | null; endsAt: Date }
type EndingToken = Period & { kind: 'token'; name: string; tokenKind: TokenKind; makerId: string | null }
type EndingPlan = Period & { kind: 'trial' | 'subscription' }
type Ending = EndingToken | EndingPlan

/**
 * Scheduled: tells of tokens, trials and subscriptions that are about to end, once for each end and threshold, whatever the number of
 * processes. When several thresholds have passed unnoticed, one notice is enough; something with a lifetime shorter than a threshold gets no
 * notice for it.
 */
export async function tellOfExpiry(db: Db, now: Date): Promise<void> {
  const horizon = new Date(now.getTime() + thresholds[0] * dayMs)
  const endings = [...(await selectTokens(db, now, horizon)), ...(await selectPlans(db, now, horizon))]
  const told = await selectTold(db, now)
  for (const ending of endings) {
    const passed = passedThresholds(ending, now)
    const nearest = passed.at(-1)
    if (nearest !== undefined && !told.has(keyOf(ending, nearest)))
      await tellOnce(db, { ending, passed, now })
  }
  await sql`delete from expiry_notice where ends_at < ${now}::timestamptz - make_interval(days => ${sql.lit(keptDays)})`.execute(
    db,
  )
}

/** The farthest first. */
function passedThresholds({ beganAt, endsAt }: Ending, now: Date): number[] {
  return thresholds.filter((days) => {
    const at = endsAt.getTime() - days * dayMs
    return at <= now.getTime() && (beganAt === null || beganAt.getTime() <= at)
  })
}

function keyOf({ objectId, endsAt }: Pick<Ending, 'objectId' | 'endsAt'>, days: number): string {
  return [objectId, endsAt.toISOString(), days].join(' ')
}

async function selectTold(db: Db, now: Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom('expiry_notice')
    .select(['object_id', 'ends_at', 'days'])
    .where('ends_at', '>', now)
    .execute()
  return new Set(
    rows.map(({ object_id: objectId, ends_at: endsAt, days }) => keyOf({ objectId, endsAt }, days)),
  )
}

type Telling = { ending: Ending; passed: readonly number[]; now: Date }

/** The process that records the nearest threshold sends the notice, which covers the earlier ones. */
async function tellOnce(db: Db, { ending, passed, now }: Telling): Promise<void> {
  const { objectId, workspaceId, endsAt } = ending
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ days: number }>`
      insert into expiry_notice (object_id, ends_at, days, told_at)
      select ${objectId}::uuid, ${endsAt}::timestamptz, days, ${now}::timestamptz from unnest(${[...passed]}::smallint[]) days
      order by days
      on conflict do nothing
      returning days`.execute(tx)
    if (!rows.some(({ days }) => days === passed.at(-1))) return
    const named = ending.kind === 'token' && ending.makerId !== null ? [ending.makerId] : []
    await enqueueNotice(tx, { to: { workspaceId }, fact: factOf(ending), named, now })
  })
}

function factOf(ending: Ending): NoticeFact {
  const endsAt = ending.endsAt.toISOString()
  if (ending.kind !== 'token') return { type: 'plan.ending', data: { plan: ending.kind, endsAt } }
  const { objectId: id, name, tokenKind: kind } = ending
  return { type: 'token.expiring', data: { token: { id, name, kind }, endsAt } }
}

/** Index token_expires. Tokens of archived families work again when these are restored. */
async function selectTokens(db: Db, now: Date, horizon: Date): Promise<EndingToken[]> {
  const { rows } = await sql<EndingToken>`
    select 'token' as kind, t.id as "objectId", t.workspace_id as "workspaceId", t.created_at as "beganAt", t.expires_at as "endsAt",
      t.name, t.kind as "tokenKind", t.created_by as "makerId"
    from token t
    join workspace w on w.id = t.workspace_id and ${staysHere('w')}
    left join family f on f.id = t.family_id
    where t.revoked_at is null and t.expires_at > ${now} and t.expires_at <= ${horizon}
      and f.archived_at is null and f.deleted_at is null`.execute(db)
  return rows
}

async function selectPlans(db: Db, now: Date, horizon: Date): Promise<EndingPlan[]> {
  const { rows } = await sql<EndingPlan>`
    select case when w.plan = 'trial' then 'trial' else 'subscription' end as kind, w.id as "objectId", w.id as "workspaceId",
      case when w.plan = 'trial' then w.created_at end as "beganAt", e.ends_at as "endsAt"
    from workspace w
    cross join lateral (select case w.plan when 'trial' then w.trial_ends_at when 'free' then null else w.paid_until end as ends_at) e
    where w.closed_at is null and ${staysHere('w')} and e.ends_at > ${now} and e.ends_at <= ${horizon}`.execute(
    db,
  )
  return rows
}
