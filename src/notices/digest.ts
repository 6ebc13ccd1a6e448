import { sql } from 'kysely'
import { choiceOf, noticeRules, type ChosenKind, type NoticeFact } from '../contract/notices/shapes.ts'
import type { Db, Tx } from '../database/connection.ts'
import { newId } from '../platform/random.ts'
import { dayMs } from '../contract/durations.ts'
import { effectiveState, staysHere } from '../workspace/state.ts'
import { insertMails } from './mail/insert-mails.ts'
import { DailyFacts } from './daily-facts.ts'
import { lastDigestTime } from './digest-time.ts'
import { insertBellEntries } from './tell-members.ts'
import {
  memberInTime,
  membersInTime,
  timesOfZones,
  zoneOfMember,
  type MemberInTime,
} from './members-times.ts'

type Due = MemberInTime & {
  /** Of the 08:00 that has come. */
  day: string
  at: Date
}

/** Writes become visible to others a moment later: anything newer than this belongs to the next digest. */
const settledMs = 15 * 60_000
/** A digest names so many notices, and counts the others. */
const maxNotices = 50

/**
 * Scheduled: once a day, at 08:00 in each member's zone, puts what came in since the last time into the bell and into one message. The
 * process that moves a member's next turn makes the digest in the same transaction, so several processes and restarts make it once; one
 * that is late because the service was down is made when it runs again.
 */
export async function makeDigests(db: Db, now: Date): Promise<void> {
  const daily = new DailyFacts(db)
  for (const due of await selectDue(db, now)) {
    await db.transaction().execute((tx) => makeDigest(tx, { due, daily, now }))
  }
}

/** Members whose 08:00 has come since their last digest. */
async function selectDue(db: Db, now: Date): Promise<Due[]> {
  const times = await timesOfZones(db, (timeZone) => lastDigestTime(now, timeZone))
  const { rows } = await sql<Due>`
    select ${memberInTime},
      z.day::text as day, z.at
    from ${membersInTime}
    left join digest_turn d on d.workspace_id = m.workspace_id and d.person_id = m.person_id
    join unnest(${times.map(({ zone }) => zone)}::text[], ${times.map(({ day }) => day)}::date[],
      ${times.map(({ at }) => at.toISOString())}::timestamptz[]) z(zone, day, at) on z.zone = ${zoneOfMember}
    where m.removed_at is null and ${staysHere('w')} and m.created_at < z.at and (d.day is null or d.day < z.day)
    order by m.workspace_id, m.person_id`.execute(db)
  return rows
}

async function makeDigest(
  tx: Tx,
  { due, daily, now }: { due: Due; daily: DailyFacts; now: Date },
): Promise<void> {
  const until = new Date(now.getTime() - settledMs)
  const since = await takeTurn(tx, due, until)
  if (since === undefined) return
  const waiting = await takeWaiting(tx, due, now)
  const state = effectiveState(due, now)
  const isTold = (kind: ChosenKind) =>
    noticeRules[kind].states.includes(state) && noticeRules[kind].roles.includes(due.role)
  const came = (await daily.of(due.workspace_id, { since, until })).filter(({ type }) => isTold(type))
  for (const fact of came) await ring(tx, { due, fact, now })
  const choices = due.choices ?? {}
  const notices = [...came.map((fact) => ({ fact, isNamed: false })), ...waiting].filter(
    (notice) => choiceOf(notice.fact.type, choices) === 'digest',
  )
  if (notices.length === 0) return
  const fact = {
    type: 'digest',
    data: { notices: notices.slice(0, maxNotices), more: Math.max(0, notices.length - maxNotices) },
  } as const
  const { workspace_id: workspaceId, person_id: personId, email, name } = due
  const people = [{ personId, email, name, isNamed: false }]
  await insertMails(tx, { workspaceId, eventId: newId(now), fact, people }, now)
}

/** Moves the member's next turn. Returns since when things are new; undefined when another process has moved it. */
async function takeTurn(tx: Tx, due: Due, until: Date): Promise<Date | undefined> {
  const { workspace_id: workspaceId, person_id: personId, day, at } = due
  const first = new Date(at.getTime() - dayMs)
  const { rows: begun } = await sql`
    insert into digest_turn (workspace_id, person_id, day, until)
    values (${workspaceId}, ${personId}, ${day}::date, ${until})
    on conflict (workspace_id, person_id) do nothing returning 1`.execute(tx)
  if (begun.length > 0) return first
  const { rows } = await sql<{ since: Date }>`
    with before as (
      select day, until from digest_turn where workspace_id = ${workspaceId} and person_id = ${personId} for update
    )
    update digest_turn d set day = ${day}::date, until = greatest(b.until, ${until})
    from before b
    where d.workspace_id = ${workspaceId} and d.person_id = ${personId} and b.day < ${day}::date
    returning b.until as since`.execute(tx)
  return rows[0]?.since
}

/** What the bell has shown since the last digest. Index bell_entry_undigested. */
async function takeWaiting(tx: Tx, due: Due, now: Date): Promise<{ fact: NoticeFact; isNamed: boolean }[]> {
  const { rows } = await sql<{ fact: NoticeFact; isNamed: boolean }>`
    with taken as (
      update bell_entry set digested_at = ${now}
      where workspace_id = ${due.workspace_id} and person_id = ${due.person_id} and digested_at is null
      returning fact, is_named, created_at, id
    )
    select fact, is_named as "isNamed" from taken order by created_at, id`.execute(tx)
  return rows
}

async function ring(tx: Tx, { due, fact, now }: { due: Due; fact: NoticeFact; now: Date }): Promise<void> {
  const { workspace_id: workspaceId, person_id: personId } = due
  const people = [{ personId, isNamed: false }]
  // the digest that it is made for includes it
  await insertBellEntries(tx, { workspaceId, eventId: newId(now), fact, people, digestedAt: now }, now)
}
