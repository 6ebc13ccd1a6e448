import { minuteMs } from '../../contract/durations.ts'
import type { MessageState } from '../../contract/notices/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { isLetter, writeLetter, type LetterDeps } from './write-letter.ts'

export type ListedMail = {
  id: string
  to: string
  kind: string
  /** null until its turn comes. */
  subject: string | null
  state: MessageState
  createdAt: string
  attempts: number
  reason: string | null
}

const listed = 100

/** How many messages are in which state. */
export async function countMail(db: Db): Promise<Partial<Record<MessageState, number>>> {
  const rows = await db
    .selectFrom('mail')
    .select(['state', (count) => count.fn.countAll<number>().as('messages')])
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, messages }) => [state, messages]))
}

/** What every server that takes mail now and then has taken by then. */
const lateMs = 15 * minuteMs

/** How many messages have waited for the mail server longer than that, however often it was asked. Index mail_waiting. */
export async function countLateMail(db: Db, now: Date): Promise<number> {
  const { late } = await db
    .selectFrom('mail')
    .select((count) => count.fn.countAll<number>().as('late'))
    .where('state', '=', 'waiting')
    .where('created_at', '<', new Date(now.getTime() - lateMs))
    .executeTakeFirstOrThrow()
  return late
}

/** The newest messages with what became of them, for the operator. Index mail_listed. */
export async function listMail(db: Db, state?: MessageState): Promise<ListedMail[]> {
  let query = db
    .selectFrom('mail')
    .select(['id', 'recipient', 'kind', 'subject', 'state', 'created_at', 'attempts', 'reason'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(listed)
  if (state !== undefined) query = query.where('state', '=', state)
  const rows = await query.execute()
  return rows.map(({ recipient, created_at: createdAt, ...row }) => ({
    ...row,
    to: recipient,
    createdAt: createdAt.toISOString(),
  }))
}

export type ShownMail = ListedMail & { messageId: string | null; text: string | null; html: string | null }

/** One message in full, with its link while that is valid; undefined when there is none. */
export async function showMail(
  deps: LetterDeps,
  { id, now }: { id: string; now: Date },
): Promise<ShownMail | undefined> {
  const row = await deps.db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const letter = isLetter(row.fact)
    ? await writeLetter(deps, { fact: row.fact, linkId: row.link_id }, now)
    : undefined
  const { text, html } = letter !== undefined && 'said' in letter ? letter.said : row
  return {
    id: row.id,
    to: row.recipient,
    kind: row.kind,
    subject: row.subject,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    attempts: row.attempts,
    reason: row.reason,
    messageId: row.message_id,
    text,
    html,
  }
}
