import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database/connection.ts'
import type { VersionScheme } from '../../versions/ordering.ts'
import { uuidList } from '../../platform/postgres/columns.ts'
import { isWithin, type VersionBound } from './version-bounds.ts'

/** What a search may compare: each is a version of its own. */
const maxIdentities = 20_000

export type NarrowedVersions = {
  /** Of the components that are meant. */
  identityIds: string[]
  /** There are more than were compared. */
  isCut: boolean
}

/**
 * Which of the components that a search names are of a version within its bounds, each compared by the order of its own ecosystem. A component
 * without one, or whose version has no place in it, is not among them. `named`: the ids of the identities, as a sub-query.
 */
export async function selectWithin(
  db: Db,
  named: RawBuilder<unknown>,
  bounds: readonly VersionBound[],
): Promise<NarrowedVersions> {
  const { rows } = await sql<{ id: string; scheme: VersionScheme; version: string }>`
    select id, scheme, version from component_identity
    where scheme is not null and version <> '' and id in (${named})
    order by id
    limit ${maxIdentities + 1}`.execute(db)
  return {
    identityIds: rows
      .slice(0, maxIdentities)
      .filter(({ scheme, version }) => isWithin(scheme, version, bounds))
      .map(({ id }) => id),
    isCut: rows.length > maxIdentities,
  }
}

/** Whether a component is one of them; null: none is asked for. */
export function isOneOf(
  identity: RawBuilder<unknown>,
  narrowed: NarrowedVersions | null,
): RawBuilder<boolean> {
  return narrowed === null ? sql`true` : sql`${identity} = any(${uuidList(narrowed.identityIds)})`
}
