import { createHash } from 'node:crypto'
import { ServiceError } from '../../contract/errors.ts'
import type { SecondFactorWay } from '../../contract/people/sign-in.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { transact } from '../../platform/concurrency/transact.ts'
import { randomText } from '../../platform/random.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { enqueueNotice } from '../../workspace/enqueue-notice.ts'
import { hashSecret } from '../../platform/secret-hash.ts'
import { enter, type OpenedSession } from '../enter.ts'
import type { Origin } from '../own-act.ts'
import type { Replacing } from '../sessions.ts'
import { giveAttemptBack, noteFailure, takeAttempt, type FailedWindow } from '../sign-in-window.ts'
import { uncountedWhileAway } from '../unjudged-attempt.ts'
import { isAppCode, takeAppCode } from './authenticator.ts'
import { takeRecoveryCode } from './recovery-codes.ts'
import { recordFactorChange } from './second-factors.ts'

const stepMs = 10 * 60 * 1000
/** From this many wrong codes on, somebody else may know the password. */
const alarmingFailures = 5

/** Records that the password was right. The returned secret comes back with the second factor, within ten minutes. */
export async function beginSecondStep(
  tx: Tx,
  { personId, now }: { personId: string; now: Date },
): Promise<string> {
  const secret = randomText(32)
  await tx
    .insertInto('sign_in_step')
    .values({ secret_hash: hashSecret(secret), person_id: personId, created_at: now })
    .execute()
  return secret
}

/** Scheduled: removes sign-ins that nobody completed. */
export async function forgetSecondSteps(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_in_step')
    .where('created_at', '<', new Date(now.getTime() - stepMs))
    .execute()
}

type Completion = Origin & Replacing & { secret: string; code: string; now: Date }
type Waiting = { id: string; name: string; email: string }

/**
 * Completes a sign-in with a code of the app or a recovery code, told apart by their form. Wrong codes are counted separately from wrong
 * passwords, so that somebody who knows the password cannot go on guessing. Codes: `signed_out` (begin again), `invalid_request` (field
 * `code`), `rate_limited`, `not_configured`.
 */
export async function completeSignIn(
  { db, sealing }: { db: Db; sealing: Sealing },
  { secret, code, ...origin }: Completion,
): Promise<OpenedSession> {
  const person = await selectWaiting(db, secret, origin.now)
  const attempt = { ...origin, email: person.email, stage: 'code' } as const
  await takeAttempt(db, attempt)
  const opened = await uncountedWhileAway(db, attempt, () =>
    transact(db, async (tx) => {
      await lockStep(tx, secret)
      const secondFactor = await takeCode(tx, sealing, { person, code, ...origin })
      if (secondFactor === undefined) return undefined
      await endStep(tx, secret)
      await giveAttemptBack(tx, attempt)
      return enter(tx, { ...origin, person, proof: { how: 'password', secondFactor } })
    }),
  )
  if (opened !== undefined) return opened
  await alarm(db, { ...origin, personId: person.id, window: await noteFailure(db, attempt, person) })
  throw new ServiceError('invalid_request', {
    fields: { code: 'This code is wrong or has already been used.' },
  })
}

/** Whose password was right. Codes: `signed_out`. */
export async function selectWaiting(db: Db, secret: string, now: Date): Promise<Waiting> {
  const waiting = await db
    .selectFrom('sign_in_step as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['p.id', 'p.name', 'p.email'])
    .where('s.secret_hash', '=', hashSecret(secret))
    .where('s.created_at', '>=', new Date(now.getTime() - stepMs))
    .executeTakeFirst()
  if (waiting === undefined) throw beginAgain()
  return waiting
}

/** Of two at once, the second finds that it is over. Codes: `signed_out`. */
async function lockStep(tx: Tx, secret: string): Promise<void> {
  const held = await tx
    .selectFrom('sign_in_step')
    .select('person_id')
    .where('secret_hash', '=', hashSecret(secret))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (held === undefined) throw beginAgain()
}

/** A sign-in is completed once. Codes: `signed_out`. */
export async function endStep(tx: Tx, secret: string): Promise<void> {
  const ended = await tx
    .deleteFrom('sign_in_step')
    .where('secret_hash', '=', hashSecret(secret))
    .executeTakeFirst()
  if (ended.numDeletedRows !== 1n) throw beginAgain()
}

function beginAgain(): ServiceError {
  return new ServiceError('signed_out', { message: 'The sign-in was not completed in time. Begin again.' })
}

type Showing = Origin & { person: Waiting; code: string; now: Date }

/** Uses the code up; undefined when it is wrong. */
async function takeCode(
  tx: Tx,
  sealing: Sealing,
  { person, code, ...origin }: Showing,
): Promise<SecondFactorWay | undefined> {
  const personId = person.id
  const typed = code.replaceAll(/\s/g, '')
  if (isAppCode(typed)) {
    return (await takeAppCode(tx, sealing, { personId, code: typed, now: origin.now })) ? 'app' : undefined
  }
  if (!(await takeRecoveryCode(tx, { personId, code, now: origin.now }))) return undefined
  await recordFactorChange(tx, { ...origin, person: { personId, name: person.name } }, 'recovery_code_used')
  return 'recovery_code'
}

type Alarm = Origin & { personId: string; window: FailedWindow; now: Date }

/** Told once for each window of failures, by an id that is the window's own. */
async function alarm(db: Db, { personId, window, address, now }: Alarm): Promise<void> {
  if (window.attempts < alarmingFailures) return
  const digest = createHash('sha256').update(JSON.stringify(['guessed', personId, window.startedAt]))
  const data = { address, at: now.toISOString() }
  const fact = { type: 'second_factor.guessed', data } as const
  const notice = { eventId: uuidOf(digest.digest()), to: { personId }, fact, now }
  await transact(db, (tx) => enqueueNotice(tx, notice))
}

/** RFC 9562 §5.8: of a digest. */
function uuidOf(bytes: Buffer): string {
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f)
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f)
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
