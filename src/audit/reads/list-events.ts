import { sql } from 'kysely'
import type { AuditActors, AuditEvent, AuditPage } from '../../contract/audit/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { askedRows, cutPage, decodeCursor } from '../../platform/cursor.ts'
import { countEvents, selectEvents, type AuditScope } from './select-events.ts'

const shape = { list: 'audit', kinds: ['time', 'bigint'] } as const
const maxCounted = 10_000

/** The audit trail of a workspace, the newest first, 100 a page. Codes: `invalid_request` (cursor, days). */
export async function listEvents(db: Db, scope: AuditScope, cursor: string | undefined): Promise<AuditPage> {
  const [at, id] = cursor === undefined ? [] : decodeCursor(shape, cursor)
  const after = at === undefined || id === undefined ? undefined : { at, id }
  const found = await selectEvents(db, { ...scope, after, rows: askedRows })
  const total = await countEvents(db, scope, maxCounted + 1)
  const { shown, nextCursor } = cutPage(found, { shape, position: (event) => [event.at, event.id] })
  return { rows: shown, nextCursor, total: Math.min(total, maxCounted), isLowerBound: total > maxCounted }
}

/** One event that the trail of a workspace shows. Codes: `not_found`. */
export async function findEvent(db: Db, scope: AuditScope, event: string): Promise<AuditEvent> {
  if (!/^[1-9]\d{0,17}$/.test(event)) throw new ServiceError('not_found')
  const [found] = await selectEvents(db, { ...scope, event, after: undefined, rows: 1 })
  if (found === undefined) throw new ServiceError('not_found')
  return found
}

/** Whom the trail can be asked for, by name. */
export async function listActors(db: Db, workspaceId: string): Promise<AuditActors> {
  const people = await db
    .selectFrom('member')
    .innerJoin('person', 'person.id', 'member.person_id')
    .select(['person.id', 'person.name', sql<boolean>`member.removed_at is not null`.as('isRemoved')])
    .where('member.workspace_id', '=', workspaceId)
    .orderBy('person.name')
    .orderBy('person.id')
    .execute()
  const tokens = await db
    .selectFrom('token')
    .leftJoin('family', 'family.id', 'token.family_id')
    .select(['token.id', 'token.name', 'token.prefix', 'family.name as family'])
    .where('token.workspace_id', '=', workspaceId)
    .orderBy('token.name')
    .orderBy('family.name')
    .orderBy('token.id')
    .execute()
  return {
    people,
    tokens: tokens.map(({ family, ...token }) => ({
      ...token,
      family: family === null ? null : { name: family },
    })),
  }
}
