import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { ServiceError } from '../contract/errors.ts'
import type { Db, Tx } from '../database/connection.ts'
import { networkOf, siteFactor, siteOf } from '../platform/client-address.ts'
import { minuteMs } from '../contract/durations.ts'
import { recordAct, type Actor } from '../audit/record-acts.ts'

const windowMs = 15 * minuteMs
/** Clocks of several processes differ a little; a window opened later than that belongs to a clock that was set back. */
const clockSlackMs = 60 * 1000

/**
 * How many attempts are allowed in a window: for one e-mail from one address, from one address, from one site of IPv6, and for one e-mail from
 * anywhere. Six-digit codes are easier to guess than passwords, for those who know the password.
 */
const allowed = {
  password: { pair: 10, place: 50, site: 50 * siteFactor, mailbox: 50 },
  code: { pair: 5, place: 50, site: 50 * siteFactor, mailbox: 10 },
}

export type Attempt = {
  email: string
  address: string
  requestId: string
  now: Date
  /** What is checked; each kind is counted separately. */
  stage?: keyof typeof allowed
}

type Kind = keyof (typeof allowed)['password']
type Subjects = Record<Kind, Buffer>

/** The counters of an attempt. */
export function subjectsOf({ email, address, stage = 'password' }: Attempt): Subjects {
  const mailbox = email.trim().toLowerCase()
  const place = networkOf(address)
  const staged = stage === 'password' ? [] : [stage]
  const digest = (...parts: string[]) =>
    createHash('sha256')
      .update(JSON.stringify([...parts, ...staged]))
      .digest()
  return {
    pair: digest('pair', mailbox, place),
    place: digest('place', place),
    site: digest('site', siteOf(address)),
    mailbox: digest('mailbox', mailbox),
  }
}

/**
 * Counts an attempt before its password is checked, in one statement for all processes: of any number of concurrent attempts no
 * more than the limit pass. Each counter is raised only if the one before allowed it, so that refused attempts from one address
 * cannot use up those of others. Codes: `rate_limited`.
 */
export async function takeAttempt(db: Db, attempt: Attempt): Promise<void> {
  await endWindows(db, attempt.now)
  const subjects = subjectsOf(attempt)
  const limits = allowed[attempt.stage ?? 'password']
  const count = (kind: Kind, source: RawBuilder<unknown>) =>
    countIn(attempt.now, { subject: subjects[kind], limit: limits[kind], source })
  const { rows } = await sql`
    with pair as (${count('pair', sql`(select 1) one`)}),
      place as (${count('place', sql`pair`)}),
      site as (${count('site', sql`place`)}),
      mailbox as (${count('mailbox', sql`site`)})
    select from mailbox`.execute(db)
  if (rows.length === 0) throw await refusal(db, attempt)
}

function countIn(
  now: Date,
  { subject, limit, source }: { subject: Buffer; limit: number; source: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const start = new Date(now.getTime() - windowMs)
  const latest = new Date(now.getTime() + clockSlackMs)
  const isOver = sql`(w.window_started_at <= ${start} or w.window_started_at > ${latest})`
  return sql`
    insert into sign_in_window as w (subject, window_started_at, attempts)
    select ${subject}::bytea, ${now}::timestamptz, 1 from ${source}
    on conflict (subject) do update set
      window_started_at = case when ${isOver} then excluded.window_started_at else w.window_started_at end,
      attempts = case when ${isOver} then 1 else w.attempts + 1 end,
      person_id = case when ${isOver} then null else w.person_id end
    where ${isOver} or w.attempts < ${limit}
    returning 1`
}

/** The limit of one address in a window, whoever asks: challenges of passkeys, links and sessions of operators. */
const placeAllowed = { challenge: 200, operator: 60 }

/** Counts one more that costs a statement for each who asks. False: one too many. */
export async function takePlaceTurn(
  db: Db,
  what: keyof typeof placeAllowed,
  { address, now }: Pick<Attempt, 'address' | 'now'>,
): Promise<boolean> {
  await endWindows(db, now)
  const digest = (...parts: string[]) => createHash('sha256').update(JSON.stringify(parts)).digest()
  const limit = placeAllowed[what]
  const place = { subject: digest(what, networkOf(address)), limit, source: sql`(select 1) one` }
  const site = {
    subject: digest(what, 'site', siteOf(address)),
    limit: limit * siteFactor,
    source: sql`place`,
  }
  const { rows } = await sql`
    with place as (${countIn(now, place)}), site as (${countIn(now, site)})
    select from site`.execute(db)
  return rows.length > 0
}

/** Counts a challenge for a passkey. Codes: `rate_limited`. */
export async function takeChallengeTurn(db: Db, place: Pick<Attempt, 'address' | 'now'>): Promise<void> {
  if (await takePlaceTurn(db, 'challenge', place)) return
  throw new ServiceError('rate_limited', {
    message: 'Too many attempts from this address. Try again later.',
    retryAfterSeconds: windowMs / 1000,
  })
}

async function refusal(db: Db, attempt: Attempt): Promise<ServiceError> {
  const { now, stage = 'password' } = attempt
  const subjects = subjectsOf(attempt)
  const isFull = (kind: Kind) =>
    sql<boolean>`(subject = ${subjects[kind]} and attempts >= ${allowed[stage][kind]})`
  const { rows } = await sql<{ started: Date | null }>`
    select max(window_started_at) as started from sign_in_window
    where ${isFull('pair')} or ${isFull('place')} or ${isFull('site')} or ${isFull('mailbox')}`.execute(db)
  const endsAt = (rows[0]?.started ?? now).getTime() + windowMs
  const seconds = Math.ceil((endsAt - now.getTime()) / 1000)
  return new ServiceError('rate_limited', {
    message: 'Too many failed sign-ins. Try again later.',
    retryAfterSeconds: Math.min(Math.max(1, seconds), windowMs / 1000),
  })
}

/** After a correct password: it uses up no attempt, and the person's own failures from this address are forgotten. */
export async function giveAttemptBack(tx: Tx, attempt: Attempt): Promise<void> {
  const { pair, place, site, mailbox } = subjectsOf(attempt)
  await tx.deleteFrom('sign_in_window').where('subject', '=', pair).execute()
  for (const subject of [place, site, mailbox]) {
    await sql`update sign_in_window set attempts = greatest(attempts - 1, 0) where subject = ${subject}`.execute(
      tx,
    )
  }
}

/** Failures of one e-mail, including those being checked. */
export type FailedWindow = { attempts: number; startedAt: Date }

/**
 * Puts the first failure of a person's window into the audit trail; how many followed is added when the window ends. An unknown
 * e-mail (null) leaves no trace and costs the same.
 */
export async function noteFailure(
  db: Db,
  attempt: Attempt,
  person: { id: string; name: string } | null,
): Promise<FailedWindow> {
  const { mailbox } = subjectsOf(attempt)
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<FailedWindow & { known: string | null }>`
      update sign_in_window w set person_id = ${person?.id ?? null}
      from (select person_id from sign_in_window where subject = ${mailbox} for update) before
      where w.subject = ${mailbox}
      returning before.person_id as known, w.attempts, w.window_started_at as "startedAt"`.execute(tx)
    const [{ known, ...window } = { known: null, attempts: 0, startedAt: attempt.now }] = rows
    if (person === null || known !== null) return window
    const origin = { address: attempt.address, requestId: attempt.requestId }
    await recordAct(tx, {
      ...failedSignIn(person, origin),
      at: attempt.now,
      after: { failures: 1, ...(attempt.stage === 'code' ? { step: 'second_factor' } : {}) },
    })
    return window
  })
}

function failedSignIn(
  person: { id: string; name: string },
  origin: Pick<Actor, 'address' | 'requestId'> = {},
) {
  return {
    workspaceId: null,
    actor: { kind: 'system', id: null, name: 'sign-in', ...origin },
    action: 'person.sign_in_failed',
    object: { kind: 'person', id: person.id, name: person.name },
  } as const
}

type EndedWindow = { id: string; name: string; failures: number; started: Date }

/**
 * Removes windows that are over, and adds to the audit trail how many sign-ins of a person failed in them, where it was more than
 * the one recorded. Locked rows wait for the next run, so that nobody waits for this.
 */
export async function endWindows(db: Db, now: Date): Promise<void> {
  const start = new Date(now.getTime() - windowMs)
  const due = await db
    .selectFrom('sign_in_window')
    .select('subject')
    .where('window_started_at', '<=', start)
    .limit(1)
    .executeTakeFirst()
  if (due === undefined) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<EndedWindow>`
      with ended as (
        delete from sign_in_window where subject in (
          select subject from sign_in_window where window_started_at <= ${start} limit 1000 for update skip locked
        )
        returning person_id, attempts, window_started_at
      )
      select p.id, p.name, e.attempts as failures, e.window_started_at as started
      from ended e join person p on p.id = e.person_id where e.attempts > 1`.execute(tx)
    for (const { started, failures, ...person } of rows) {
      const until = new Date(started.getTime() + windowMs)
      await recordAct(tx, { ...failedSignIn(person), at: now, after: { failures, from: started, until } })
    }
  })
}
