import type { Db } from '../database/connection.ts'

export type FoundSbom = { id: string; family: string; version: string | null }

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const sha256Form = /^[0-9a-f]{64}$/i

/** The SBOMs of a workspace with this id, or this SHA-256 of their file; none for other words. */
export async function findSboms(db: Db, workspaceId: string, words: string): Promise<FoundSbom[]> {
  const isId = idForm.test(words)
  if (!isId && !sha256Form.test(words)) return []
  return db
    .selectFrom('sbom as s')
    .innerJoin('family as f', 'f.id', 's.family_id')
    .leftJoin('product_version as v', 'v.id', 's.version_id')
    .select(['s.id', 'f.name as family', 'v.name as version'])
    .where('s.workspace_id', '=', workspaceId)
    .where('f.deleted_at', 'is', null)
    .$if(isId, (query) => query.where('s.id', '=', words.toLowerCase()))
    .$if(!isId, (query) => query.where('s.sha256', '=', Buffer.from(words, 'hex')))
    .orderBy('s.received_at', 'desc')
    .limit(5)
    .execute()
}
