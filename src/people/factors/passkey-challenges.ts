import type { PasskeyPurpose } from '../../contract/people/sign-in.ts'
import type { Db } from '../../database/connection.ts'
import { randomText } from '../../platform/random.ts'

const lifetimeMs = 5 * 60 * 1000

type For = { purpose: PasskeyPurpose; personId: string | null; now: Date }

/** 256 random bits for a passkey to sign. */
export async function makeChallenge(
  db: Db,
  { purpose, personId, now }: For,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomText(32)
  await db
    .insertInto('passkey_challenge')
    .values({ challenge, purpose, person_id: personId, created_at: now })
    .execute()
  return Uint8Array.from(Buffer.from(challenge, 'base64url'))
}

/** As `makeChallenge` makes them. What was signed is any JSON value, whatever the library's types say. */
const challengeForm = /^[\w-]{43}$/

/** Whether it was made for this purpose and is unanswered: no challenge can be answered twice, rightly or wrongly. */
async function takeChallenge(db: Db, challenge: unknown, { purpose, personId, now }: For): Promise<boolean> {
  if (typeof challenge !== 'string' || !challengeForm.test(challenge)) return false
  const taken = await db
    .deleteFrom('passkey_challenge')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('person_id', personId === null ? 'is' : '=', personId)
    .where('created_at', '>=', new Date(now.getTime() - lifetimeMs))
    .executeTakeFirst()
  return taken.numDeletedRows === 1n
}

type Check<Checked> = {
  made: For
  /** Of the library, which asks whether the challenge that was signed is the expected one: then it is taken. */
  verify: (expectedChallenge: (challenge: string) => Promise<boolean>) => Promise<Checked>
  refused: (cause: unknown) => Error
}

/** Checks an answer to a challenge. What the database fails at says nothing about the passkey: it is thrown as it is. */
export async function checkAnswer<Checked>(
  db: Db,
  { made, verify, refused }: Check<Checked>,
): Promise<Checked> {
  let isTaken: Promise<boolean> | undefined
  try {
    return await verify((challenge) => (isTaken = takeChallenge(db, challenge, made)))
  } catch (cause) {
    await isTaken
    throw refused(cause)
  }
}

/** Scheduled: removes challenges that nobody answered. */
export async function forgetChallenges(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('passkey_challenge')
    .where('created_at', '<', new Date(now.getTime() - lifetimeMs))
    .execute()
}
