import { sql, type Insertable } from 'kysely'
import type { LetterFact, LetterJob } from '../../contract/notices/letters.ts'
import type { MailFact } from '../../contract/notices/shapes.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import { newId } from '../../platform/random.ts'

type MailsOf = {
  /** null: about the person's own account. */
  workspaceId: string | null
  eventId: string
  fact: MailFact
  people: readonly { personId: string; email: string; name: string; isNamed: boolean }[]
}

/** The channel on which waiting messages are announced. */
export const mailChannel = 'mail'

/**
 * Puts messages into the outbox, one for each event and person, however often it is told. Their text, and whether they are sent at all, is
 * decided when they are due.
 */
export async function insertMails(
  tx: Tx,
  { workspaceId, eventId, fact, people }: MailsOf,
  now: Date,
): Promise<void> {
  if (people.length === 0) return
  await tx
    .insertInto('mail')
    .values(
      people.map(({ personId, email, name, isNamed }) => ({
        ...waitingMail({ eventId, fact, to: { email, name } }, now),
        workspace_id: workspaceId,
        person_id: personId,
        is_named: isNamed,
      })),
    )
    .onConflict((conflict) => conflict.columns(['event_id', 'person_id']).doNothing())
    .execute()
  await sql`select pg_notify(${mailChannel}, '')`.execute(tx)
}

/** Puts a letter into the outbox, once for each event. */
export async function insertLetter(
  db: Db,
  { eventId, fact, to, linkId }: LetterJob,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('mail')
      .values({ ...waitingMail({ eventId, fact, to }, now), link_id: linkId })
      .onConflict((conflict) => conflict.column('event_id').where('person_id', 'is', null).doNothing())
      .execute()
    await sql`select pg_notify(${mailChannel}, '')`.execute(tx)
  })
}

/** What is sent first: what somebody waits for in front of a screen, then what is told, then what sums up. */
export const turns = [0, 1, 2] as const

function turnOf({ type }: MailFact | LetterFact): (typeof turns)[number] {
  if (type.startsWith('letter.')) return 0
  return type === 'digest' || type === 'weekly.report' ? 2 : 1
}

type Waiting = { eventId: string; fact: MailFact | LetterFact; to: { email: string; name: string } }

/** A waiting message about no workspace and no account. */
function waitingMail({ eventId, fact, to }: Waiting, now: Date): Insertable<Tables['mail']> {
  return {
    id: newId(now),
    workspace_id: null,
    person_id: null,
    event_id: eventId,
    kind: fact.type,
    turn: turnOf(fact),
    fact: JSON.stringify(fact),
    is_named: true,
    recipient: to.email,
    recipient_name: to.name,
    message_id: null,
    subject: null,
    text: null,
    html: null,
    state: 'waiting',
    created_at: now,
    due_at: now,
    leased_by: null,
    leased_until: null,
    ended_at: null,
    reason: null,
    link_id: null,
  }
}
