import { sql, type RawBuilder } from 'kysely'
import type { LetterFact } from '../../contract/notices/letters.ts'
import type { MailFact, MessageState, NoticeChoices } from '../../contract/notices/shapes.ts'
import type { Role } from '../../contract/roles.ts'
import { isAnswered } from '../../incidents/reports/is-answered.ts'
import type { Db } from '../../database/connection.ts'
import { clockSkewMs } from '../../platform/clock.ts'
import { cutLeasesOfLaterClock, isGivenUp, neverBegun, stoppedTwice } from '../../queue/lease.ts'
import { dayMs, hourMs, minuteMs } from '../../contract/durations.ts'
import { planAndDates, type PlanAndDates } from '../../workspace/state.ts'
import { zoneOfMember } from '../members-times.ts'
import { turns } from './insert-mails.ts'

/** The workspace a message is about, and what its recipient is in it now. */
type Membership = PlanAndDates & {
  slug: string
  company_name: string
  /** Of the recipient. */
  time_zone: string
  /** null: no longer a member. */
  role: Role | null
  choices: NoticeChoices | null
}

/** A message that is due, with everything that decides whether it is sent, as of now. */
export type ClaimedMail = {
  id: string
  fact: MailFact | LetterFact
  is_named: boolean
  recipient: string
  recipient_name: string
  /** null, as its words, until it is composed. */
  message_id: string | null
  subject: string | null
  text: string | null
  html: string | null
  created_at: Date
  attempts: number
  /** The link that a letter brings. */
  link_id: string | null
  /** It warns of a report that is no longer open. */
  is_answered: boolean
  /** null: about the person's own account. */
  membership: Membership | null
}

/** A message beside the columns of its membership. */
type Row = Omit<ClaimedMail, 'membership'> & { [Key in keyof Membership]: Membership[Key] | null }

/** Real time that a process keeps a message without renewing. */
const leaseSeconds = 60
export const renewEveryMs = 15_000

/** The pause after a temporary refusal doubles from the first to the longest. */
const firstPauseMs = minuteMs
const maxPauseMs = hourMs
/** A message that no server has accepted this long after it was written has failed. */
const triedForMs = dayMs

/**
 * Claims the messages whose turn it is, of equal ones those that have been due longest. One whose time is further off than any pause was postponed
 * before the clock was set back. Index mail_in_turn.
 */
export async function claimMails(
  db: Db,
  { now, worker, limit }: { now: Date; worker: string; limit: number },
): Promise<ClaimedMail[]> {
  const latest = new Date(now.getTime() + maxPauseMs + clockSkewMs)
  const { rows } = await sql<Row>`
    with locked as (
      select id from (${inTurn(sql`due_at <= ${now}`, limit)} union all ${inTurn(sql`due_at > ${latest}`, limit)}) each
      order by turn, due_at, id limit ${limit}
    ), claimed as (
      update mail m set state = 'sending', attempts = m.attempts + 1, is_begun = false, leased_by = ${worker},
        leased_until = clock_timestamp() + make_interval(secs => ${sql.lit(leaseSeconds)})
      from locked where m.id = locked.id
      returning m.*
    )
    select c.id, c.fact, c.is_named, c.recipient, c.recipient_name, c.message_id, c.subject, c.text, c.html,
      c.link_id, c.created_at, c.attempts, ${isAnswered(sql.ref('c.kind'), sql.ref('c.event_id'))} as is_answered,
      w.slug, w.company_name, ${zoneOfMember} as time_zone, ${planAndDates('w')}, b.role, n.choices
    from claimed c
    left join workspace w on w.id = c.workspace_id
    left join member b on b.workspace_id = c.workspace_id and b.person_id = c.person_id and b.removed_at is null
    left join member_notices n on n.workspace_id = c.workspace_id and n.person_id = c.person_id
    order by c.turn, c.due_at, c.id`.execute(db)
  return rows.map((row) => ({ ...row, membership: isAboutWorkspace(row) ? row : null }))
}

/** Of each turn the first messages. Each is a range of the index, so that those that are put off are not looked at. */
function inTurn(isDue: RawBuilder<unknown>, limit: number): RawBuilder<unknown> {
  return sql`
    select t.turn, next.due_at, next.id from unnest(${[...turns]}::smallint[]) t(turn) cross join lateral (
      select id, due_at from mail where state = 'waiting' and turn = t.turn and ${isDue}
      order by due_at, id limit ${limit} for update skip locked
    ) next`
}

/** A message is joined to all columns of its membership, or to none. */
function isAboutWorkspace(row: Row): row is Row & Membership {
  return row.slug !== null
}

/** Of a message: the newest one has its number of attempts. */
type Attempt = Pick<ClaimedMail, 'id' | 'attempts'>

type Written = { messageId: string; subject: string; text: string; html: string }

/** Stores the text of a message before it is sent for the first time, so that a repeat is the same message. */
export async function keepWords(
  db: Db,
  { id, attempts }: Attempt,
  { messageId, subject, text, html }: Written,
): Promise<void> {
  await sql`update mail set message_id = ${messageId}, subject = ${subject}, text = ${text}, html = ${html}
    where id = ${id} and state = 'sending' and attempts = ${attempts}`.execute(db)
}

/**
 * Records that a message is handed over: from now on the mail server may have seen it. Returns whether it is still this attempt's: otherwise another
 * process has it, and it is not sent.
 */
export async function beginMail(db: Db, { id, attempts }: Attempt): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`update mail set is_begun = true
    where id = ${id} and state = 'sending' and attempts = ${attempts}`.execute(db)
  return numAffectedRows > 0n
}

/** An expired lease changes nothing as long as no other attempt has begun. */
function isOf({ id, attempts }: Attempt): RawBuilder<boolean> {
  return sql<boolean>`id = ${id} and attempts = ${attempts}
    and (state in ('sending', 'waiting') or (state = 'failed' and ${isGivenUp(sql`reason`)}))`
}

export type MailEnd = Extract<MessageState, 'sent' | 'failed' | 'kept' | 'not_sent'>

/** Records how a message ended; it is never sent again. */
export async function endMail(
  db: Db,
  attempt: Attempt,
  { state, reason, now }: { state: MailEnd; reason: string | null; now: Date },
): Promise<void> {
  await sql`update mail set state = ${state}, reason = ${reason}, ended_at = ${now}, leased_until = null
    where ${isOf(attempt)}`.execute(db)
}

/** The server did not accept it: it is retried for up to a day. Returns whether it has failed instead. */
export async function putOffMail(
  db: Db,
  attempt: Attempt & Pick<ClaimedMail, 'created_at'>,
  { now, reason }: { now: Date; reason: string },
): Promise<boolean> {
  const { attempts, created_at: createdAt } = attempt
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(attempts - 1, 10), maxPauseMs)
  const dueAt = new Date(now.getTime() + pauseMs)
  if (dueAt.getTime() > createdAt.getTime() + triedForMs) {
    await endMail(db, attempt, { state: 'failed', reason, now })
    return true
  }
  await sql`update mail set state = 'waiting', due_at = ${dueAt}, reason = ${reason}, ended_at = null,
      leased_by = null, leased_until = null
    where ${isOf(attempt)}`.execute(db)
  return false
}

export async function renewMailLeases(db: Db, worker: string, ids: readonly string[]): Promise<void> {
  await sql`update mail set leased_until = clock_timestamp() + make_interval(secs => ${sql.lit(leaseSeconds)})
    where state = 'sending' and leased_by = ${worker} and id = any(${[...ids]}::uuid[])`.execute(db)
}

/** Otherwise a message that ends the process before it is sent would be claimed for ever. In a day about thirty attempts are put off. */
const maxAttempts = 60

const isAbandoned = sql<boolean>`(state = 'sending' and leased_until < clock_timestamp())`
const isUsedUp = sql<boolean>`((is_begun and crashes > 0) or attempts >= ${sql.lit(maxAttempts)})`

/**
 * Messages of processes that died wait again, as the same message. Those that the mail server may have seen do so once; a second time they have
 * failed. Returns how many wait. Index mail_sending.
 */
export async function recoverMails(db: Db, now: Date): Promise<number> {
  await cutLeasesOfLaterClock(db, { table: 'mail', state: 'sending', seconds: leaseSeconds })
  await sql`update mail set state = 'failed', ended_at = ${now}, leased_until = null,
      reason = case when is_begun and crashes > 0 then ${stoppedTwice} else ${neverBegun} end
    where ${isAbandoned} and ${isUsedUp}`.execute(db)
  const { numAffectedRows = 0n } = await sql`
    update mail set state = 'waiting', crashes = crashes + is_begun::int, leased_by = null, leased_until = null
    where ${isAbandoned} and not ${isUsedUp}`.execute(db)
  return Number(numAffectedRows)
}
