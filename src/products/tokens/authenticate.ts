import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { asynchronousCommit } from '../../platform/postgres/asynchronous-commit.ts'
import { prepared } from '../../platform/postgres/prepared.ts'
import { ServiceError } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { tokenPattern, type TokenKind } from '../../contract/tokens/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { clockSkewMs } from '../../platform/clock.ts'
import { hashSecret } from '../../platform/secret-hash.ts'

export type AuthenticatedToken = {
  tokenId: string
  workspaceId: string
  /** null for workspace tokens */
  familyId: string | null
  kind: TokenKind
  name: string
}

/** A family's token: `upload` or `results`. */
export type FamilyToken = AuthenticatedToken & { familyId: string }

type Credential = {
  /** The token itself, without a scheme word; undefined when none was sent. */
  secret: string | undefined
  kinds: readonly TokenKind[]
  now: Date
  /** Called as soon as it is known whose token it is, even when the request is then refused. */
  onKnown?: (token: { tokenId: string; workspaceId: string }) => void
}

/**
 * The token step of every API operation: checks the token, its family and kind, notes its last use and counts the request
 * against the hourly limit, in one statement, so that no two requests can both be the sixtieth.
 *
 * The window is fixed, opens with the first counted request and is shared by all processes; refused requests count too. One that
 * was opened clearly ahead of `now`, before the clock was set back, has ended; one opened a moment ahead by another process goes
 * on from `now`, so that nobody waits longer than a window.
 * Codes: `unauthorized`, `family_not_found` (the family was deleted), `rate_limited`.
 */
export async function authenticate(db: Db, credential: Credential): Promise<AuthenticatedToken> {
  const { secret, kinds, now, onKnown } = credential
  if (secret === undefined || !tokenPattern.test(secret)) throw new ServiceError('unauthorized')
  const hash = hashSecret(secret)
  const token = await findAndCount(db, { hash, kinds, now })
  if (token === undefined || !timingSafeEqual(token.secret_hash, hash)) throw new ServiceError('unauthorized')
  onKnown?.({ tokenId: token.id, workspaceId: token.workspace_id })
  if (token.moved_to !== null)
    throw new ServiceError('unauthorized', {
      message: `The workspace of this token has moved to ${token.moved_to}: send requests there, with the same token.`,
    })
  if (token.family_deleted) throw new ServiceError('family_not_found')
  if (token.window_requests === null || token.window_started_at === null)
    throw new ServiceError('unauthorized')
  if (token.window_requests > limits.requestsPerWindow) {
    throw new ServiceError('rate_limited', { retryAfterSeconds: secondsLeft(token.window_started_at, now) })
  }
  return {
    tokenId: token.id,
    workspaceId: token.workspace_id,
    familyId: token.family_id,
    kind: token.kind,
    name: token.name,
  }
}

/** As `authenticate`, for the kinds that belong to one family. */
export async function authenticateForFamily(
  db: Db,
  credential: Omit<Credential, 'kinds'> & { kinds: readonly ('upload' | 'results')[] },
): Promise<FamilyToken> {
  const token = await authenticate(db, credential)
  if (token.familyId === null) throw new ServiceError('unauthorized')
  return { ...token, familyId: token.familyId }
}

function secondsLeft(windowStartedAt: Date, now: Date): number {
  const endsAt = windowStartedAt.getTime() + limits.rateWindowSeconds * 1000
  return Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000))
}

type CountedToken = {
  id: string
  workspace_id: string
  family_id: string | null
  kind: TokenKind
  name: string
  secret_hash: Buffer
  family_deleted: boolean
  /** The origin at which the workspace is now; null: here. */
  moved_to: string | null
  /** null when the token is not admitted: then nothing was counted either */
  window_requests: number | null
  window_started_at: Date | null
}

/**
 * Served by the unique index on token.secret_hash. The count commits asynchronously: whatever the request stores afterwards also makes
 * it durable, so a crash of the database can only lose the count of requests that stored nothing.
 */
async function findAndCount(
  db: Db,
  { hash, kinds, now }: { hash: Buffer; kinds: readonly TokenKind[]; now: Date },
): Promise<CountedToken | undefined> {
  const windowStart = new Date(now.getTime() - limits.rateWindowSeconds * 1000)
  const latestStart = new Date(now.getTime() + clockSkewMs)
  const isOver = sql`(token_use.window_started_at <= ${windowStart} or token_use.window_started_at > ${latestStart})`
  const result = await sql<CountedToken>`
    with found as (
      select t.id, t.workspace_id, t.family_id, t.kind, t.name, t.secret_hash,
        f.deleted_at is not null as family_deleted, w.moved_to,
        t.kind = any(${[...kinds]}::text[]) and t.revoked_at is null and w.moved_to is null
          and (t.expires_at is null or t.expires_at > ${now})
          and f.archived_at is null and f.deleted_at is null as admitted,
        t.kind = any(${[...kinds]}::text[]) and t.revoked_at is null
          and (t.expires_at is null or t.expires_at > ${now}) as valid
      from token t join workspace w on w.id = t.workspace_id left join family f on f.id = t.family_id
      where t.secret_hash = ${hash}
    ), counted as (
      insert into token_use (token_id, last_used_at, window_started_at, window_requests)
      select id, ${now}, ${now}, 1 from found where admitted
      on conflict (token_id) do update set
        last_used_at = excluded.last_used_at,
        window_started_at = case when ${isOver} then excluded.window_started_at
          else least(token_use.window_started_at, excluded.window_started_at) end,
        window_requests = case when ${isOver} then 1 else token_use.window_requests + 1 end
      returning window_requests, window_started_at
    )
    select found.id, found.workspace_id, found.family_id, found.kind, found.name, found.secret_hash, found.moved_to,
      found.valid and found.family_deleted as family_deleted,
      counted.window_requests, counted.window_started_at, ${asynchronousCommit}
    from found left join counted on true
    ${prepared}`.execute(db)
  return result.rows[0]
}
