import type { Db } from '../database/connection.ts'
import { isId } from '../platform/random.ts'

export type FoundSbom = { id: string; family: string; version: string | null }

const sha256Form = /^[0-9a-f]{64}$/i

/** The SBOMs of a workspace with this id, or this SHA-256 of their file; none for other words. */
export async function findSboms(db: Db, workspaceId: string, words: string): Promise<FoundSbom[]> {
  const id = words.toLowerCase()
  if (!isId(id) && !sha256Form.test(words)) return []
  return db
    .selectFrom('sbom as s')
    .innerJoin('family as f', 'f.id', 's.family_id')
    .leftJoin('product_version as v', 'v.id', 's.version_id')
    .select(['s.id', 'f.name as family', 'v.name as version'])
    .where('s.workspace_id', '=', workspaceId)
    .where('f.deleted_at', 'is', null)
    .$if(isId(id), (query) => query.where('s.id', '=', id))
    .$if(!isId(id), (query) => query.where('s.sha256', '=', Buffer.from(words, 'hex')))
    .orderBy('s.received_at', 'desc')
    .limit(5)
    .execute()
}
