import { createHash } from 'node:crypto'
import { sql } from 'kysely'

/** The chain of acts that belong to no workspace. */
export const installationChain = '00000000-0000-0000-0000-000000000000'

/**
 * The digest of an event `e`: SHA-256 of the text of a JSON array of all its columns. Before and after go in as text, which tells a value
 * of null from none; the time to the microsecond. One that came with a workspace goes by the id it had where it was recorded.
 */
export const digestOfEvent = sql<string>`encode(sha256(convert_to(jsonb_build_array(
  coalesce(e.original_id, e.id)::text, e.workspace_id, (extract(epoch from e.at) * 1000000)::bigint::text, e.actor_kind, e.actor_id, e.actor_name, e.action,
  e.object_kind, e.object_id, e.object_name, e.before::text, e.after::text, e.request_id, e.address
)::text, 'UTF8')), 'hex')`

type ChainPosition = { chain: string; position: number }

/** The hash of a link, hexadecimal: of the one before it (empty for the first), its place and the digest of its event. */
export function hashOfLink(previous: string, { chain, position }: ChainPosition, digest: string): string {
  return createHash('sha256').update(`${previous} ${chain} ${position} ${digest}`).digest('hex')
}
