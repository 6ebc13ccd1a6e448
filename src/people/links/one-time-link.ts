import { sql } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import type { LinkPurpose } from '../../contract/notices/letters.ts'
import type { Db, Tx } from '../../database/connection.ts'
import { newId, randomText } from '../../platform/random.ts'
import type { SealedPlace } from '../../platform/sealing/envelope.ts'
import { lockSealing, type Sealing } from '../../platform/sealing/sealing.ts'
import type { SealedColumn } from '../../platform/sealing/reseal.ts'
import { hashSecret } from '../../platform/secret-hash.ts'

/** The purpose of the sealed secret: it opens for no other. */
const purpose = 'link secret'

/** A link belongs to no workspace. */
function secretPlace(id: string): SealedPlace {
  return { purpose, workspaceId: id, rowId: id }
}

export const linkSealedColumns: readonly SealedColumn[] = [
  {
    table: 'one_time_link',
    column: 'secret_sealed',
    purpose,
    owner: 'id',
    replace: (db, { id, from, to }) =>
      db
        .updateTable('one_time_link')
        .set({ secret_sealed: to })
        .where('id', '=', id)
        .where('secret_sealed', '=', from)
        .execute(),
  },
]

/** What cannot be stored without an encryption key. */
export const linksOfMail = 'links for messages'

type NewLink = {
  purpose: LinkPurpose
  /** The mailbox that it is sent to. */
  recipient: string
  personId: string | null
  lifetimeMs: number
  now: Date
  /** Of the link; the same for a job that runs twice. */
  id?: string
}

/** Makes a link. Only the hash of its secret is stored, and the secret sealed for the message. Codes: `not_configured`. */
export async function issueLink(
  tx: Tx,
  sealing: Sealing,
  { now, lifetimeMs, ...link }: NewLink,
): Promise<{ id: string; expiresAt: Date; isNew: boolean }> {
  await lockSealing(tx, sealing, linksOfMail)
  const id = link.id ?? newId(now)
  const secret = randomText(32)
  const expiresAt = new Date(now.getTime() + lifetimeMs)
  const made = await tx
    .insertInto('one_time_link')
    .values({
      id,
      purpose: link.purpose,
      secret_hash: hashSecret(secret),
      secret_sealed: sealing.seal(secretPlace(id), secret),
      recipient: link.recipient,
      person_id: link.personId,
      created_at: now,
      expires_at: expiresAt,
      ended_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return { id, expiresAt, isNew: made.numInsertedOrUpdatedRows === 1n }
}

export type Link = { id: string; recipient: string; personId: string | null }

type Held = { purpose: LinkPurpose; secret: string; now: Date }

/** The link that a secret opens, while it does. Codes: `not_found`. */
export async function findLink(db: Db, { purpose: wanted, secret, now }: Held): Promise<Link> {
  const link = await db
    .selectFrom('one_time_link')
    .select(['id', 'recipient', 'person_id'])
    .where('secret_hash', '=', hashSecret(secret))
    .where('purpose', '=', wanted)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (link === undefined) throw ended()
  return { id: link.id, recipient: link.recipient, personId: link.person_id }
}

/** Uses a link up: of any number who use it at once, one succeeds. Codes: `not_found`. */
export async function takeLink(tx: Tx, { purpose: wanted, secret, now }: Held): Promise<Link> {
  const { rows } = await sql<{ id: string; recipient: string; person_id: string | null }>`
    update one_time_link set ended_at = ${now}, secret_sealed = null
    where secret_hash = ${hashSecret(secret)} and purpose = ${wanted} and ended_at is null and expires_at > ${now}
    returning id, recipient, person_id`.execute(tx)
  const [link] = rows
  if (link === undefined) throw ended()
  return { id: link.id, recipient: link.recipient, personId: link.person_id }
}

function ended(): ServiceError {
  return new ServiceError('not_found', {
    message: 'This link is no longer valid: it was used, replaced or has expired.',
  })
}

/** Ends links before they were used: by id, or all of a person for some purposes. */
export async function endLinks(
  tx: Tx,
  which: { id: string } | { personId: string; purposes: readonly LinkPurpose[] },
  now: Date,
): Promise<void> {
  const ending = tx
    .updateTable('one_time_link')
    .set({ ended_at: now, secret_sealed: null })
    .where('ended_at', 'is', null)
  await (
    'id' in which
      ? ending.where('id', '=', which.id)
      : ending.where('person_id', '=', which.personId).where('purpose', 'in', which.purposes)
  ).execute()
}

/** The link for a message; undefined once it has ended. Throws `SealError`. */
export async function openLinkSecret(
  db: Db,
  sealing: Pick<Sealing, 'open'>,
  { id, now }: { id: string; now: Date },
): Promise<string | undefined> {
  const link = await db
    .selectFrom('one_time_link')
    .select('secret_sealed')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return link === undefined || link.secret_sealed === null
    ? undefined
    : sealing.open(secretPlace(id), link.secret_sealed)
}

/** How long a link is kept after it expired, for those who look at what they sent. */
const rememberedDays = 30

/** Scheduled: erases the sealed secrets of expired links, and later the links. Index one_time_link_expires. */
export async function forgetLinks(db: Db, now: Date): Promise<void> {
  await sql`update one_time_link set secret_sealed = null where expires_at <= ${now} and secret_sealed is not null`.execute(
    db,
  )
  await sql`
    delete from one_time_link
    where expires_at < ${now}::timestamptz - make_interval(days => ${sql.lit(rememberedDays)})`.execute(db)
}
