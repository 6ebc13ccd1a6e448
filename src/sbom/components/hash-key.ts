import { sql, type RawBuilder } from 'kysely'

/** The key that finds a digest among the components of a workspace; the component itself is compared afterwards. */
export function hashKey(
  workspaceId: string | RawBuilder<unknown>,
  digest: RawBuilder<unknown>,
): RawBuilder<number> {
  return sql<number>`('x' || left(
    encode(sha256(convert_to(${workspaceId}::text || ${digest}, 'UTF8')), 'hex'), 16))::bit(64)::bigint`
}
