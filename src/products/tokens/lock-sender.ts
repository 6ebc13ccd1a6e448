import { sql, type RawBuilder, type Selectable } from 'kysely'
import { prepared } from '../../platform/postgres/prepared.ts'
import { ServiceError } from '../../contract/errors.ts'
import { roleAllows } from '../../contract/roles.ts'
import type { Db, Tx } from '../../database/connection.ts'
import type { Tables } from '../../database/tables.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Actor } from '../../audit/record-acts.ts'
import type { Ceilings } from '../../workspace/ceilings.ts'
import { effectiveState, refuseWhenReadOnly, planAndDates } from '../../workspace/state.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'
import { refuseEnded, type TokenEnds } from './refuse-ended.ts'

/** An upload token that has passed the token step. */
export type TokenSender = {
  workspaceId: string
  familyId: string
  name: string
  tokenId: string
  personId?: undefined
}

/** A member who may upload. */
type MemberSender = FamilyKey & { name: string; tokenId: null; personId: string }

/** Who sends a document to a family. */
export type Sender = TokenSender | MemberSender

type SendingToken = Pick<TokenSender, 'workspaceId' | 'familyId' | 'tokenId'>
type SendingMember = Pick<MemberSender, 'workspaceId' | 'familyId' | 'tokenId' | 'personId'>

/** Who acts when a sender's document is stored. */
export function senderActor(
  sender: Sender,
  { requestId, address }: { requestId: string; address: string },
): Actor {
  const who =
    sender.tokenId === null
      ? ({ kind: 'person', id: sender.personId } as const)
      : ({ kind: 'token', id: sender.tokenId } as const)
  return { ...who, name: sender.name, requestId, address }
}

export type LockedFamily = {
  workspaceSlug: string
  familyName: string
  nextComponentNumber: number
  /** The moment of storing. */
  now: Date
  /** How much the workspace may hold; null: any. */
  max: Pick<Ceilings, 'sboms' | 'bytes'>
}

type LockedRow = Pick<
  Selectable<Tables['workspace']>,
  | 'slug'
  | 'plan'
  | 'trial_ends_at'
  | 'paid_until'
  | 'closed_at'
  | 'suspended_at'
  | 'moving_at'
  | 'most_sboms'
  | 'most_bytes'
> &
  TokenEnds & {
    next_component_number: number
    family_name: string
  }

/**
 * Checks token or member, family and workspace again inside the storing transaction: they may have been revoked, archived or ended while the
 * body was arriving or being read. Locks them until it ends, so that changes to them wait and uploads of one family are serialised. The clock is
 * read once they are locked, not before: body, reading and the wait for the lock take time.
 *
 * Codes: `unauthorized`, `family_not_found`, `billing_lapsed`; of members `forbidden` (removed, or with another role) and `conflict` (archived
 * family).
 */
export async function lockSender(tx: Tx, sender: Sender, clock: Clock): Promise<LockedFamily> {
  return readSender(tx, sender, {
    clock,
    refuse: refuseLapsed,
    locking: sql`for share of t, w for no key update of f`,
  })
}

/** The same without locks, for an answer that stores nothing: a stored record is told to whoever may still send. */
export async function checkSender(db: Db, sender: Sender, clock: Clock): Promise<void> {
  await readSender(db, sender, { clock, refuse: refuseLapsed, locking: sql`` })
}

/**
 * Checks the token of a request that has waited since it was admitted, and asks for nothing that a read-only workspace refuses. The request is not
 * counted again. Codes: `unauthorized`, `family_not_found`.
 */
export async function refuseEndedMeanwhile(db: Db, token: SendingToken, clock: Clock): Promise<void> {
  await readSender(db, token, { clock, refuse: refuseEnded, locking: sql`` })
}

type Reading = {
  clock: Clock
  /** What ends the right to send. */
  refuse: (row: LockedRow, now: Date) => void
  locking: RawBuilder<unknown>
}

async function readSender(
  db: Db,
  sender: SendingToken | SendingMember,
  { clock, refuse, locking }: Reading,
): Promise<LockedFamily> {
  const { workspaceId, familyId } = sender
  const result = await sql<LockedRow>`
    select t.revoked_at, t.expires_at, f.archived_at, f.deleted_at, f.next_component_number, f.name as family_name,
      w.slug, ${planAndDates('w')}, w.most_sboms, w.most_bytes
    from ${credentialOf(sender)} t
    join family f on f.workspace_id = t.workspace_id and f.id = ${familyId}
    join workspace w on w.id = t.workspace_id
    where t.workspace_id = ${workspaceId}
    ${locking}
    ${prepared}`.execute(db)
  const row = result.rows[0]
  if (row === undefined) throw new ServiceError(sender.tokenId === null ? 'forbidden' : 'unauthorized')
  const now = clock()
  if (sender.tokenId === null) refuseArchived(row)
  refuse(row, now)
  const max = { sboms: row.most_sboms, bytes: row.most_bytes }
  return {
    workspaceSlug: row.slug,
    familyName: row.family_name,
    nextComponentNumber: row.next_component_number,
    now,
    max,
  }
}

/** A row lock reaches through a sub-query to its table. */
function credentialOf(sender: SendingToken | SendingMember): RawBuilder<unknown> {
  return sender.tokenId === null
    ? sql`(
        select workspace_id, removed_at as revoked_at, null::timestamptz as expires_at
        from member where person_id = ${sender.personId} and removed_at is null and role = any(${[...roleAllows.upload]}::text[])
      )`
    : sql`(select workspace_id, revoked_at, expires_at from token where id = ${sender.tokenId})`
}

/** A token of an archived family is none; a member sees the family and is told. */
function refuseArchived({ archived_at: archivedAt, deleted_at: deletedAt }: LockedRow): void {
  if (archivedAt !== null && deletedAt === null) {
    throw new ServiceError('conflict', { message: 'The product family is archived.' })
  }
}

function refuseLapsed(row: LockedRow, now: Date): void {
  refuseEnded(row, now)
  refuseWhenReadOnly(effectiveState(row, now))
}
