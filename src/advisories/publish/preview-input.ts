import type { AdvisoryContent } from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import type { DocumentInput } from '../document/build-document.ts'
import { withProductNames } from '../drafts/named-products.ts'
import { publisherOf } from '../feed/publisher.ts'
import { documentInput } from './document-input.ts'
import type { Service } from './publish.ts'

type Previewed = {
  workspaceId: string
  advisoryId: string
  content: AdvisoryContent
  kind: 'update' | 'correction'
  summary: string
  now: Date
} & Service

/** The input from which publishing this content now would build its document. Codes: `invalid_request`, `not_found`. */
export async function previewInput(db: Db, previewed: Previewed): Promise<DocumentInput> {
  const { workspaceId, advisoryId, content: given, now, ...rest } = previewed
  const advisory = await db
    .selectFrom('advisory as a')
    .leftJoin('advisory_draft as d', 'd.advisory_id', 'a.id')
    .select(['a.tracking_id', 'd.content'])
    .where('a.workspace_id', '=', workspaceId)
    .where('a.id', '=', advisoryId)
    .executeTakeFirst()
  if (advisory === undefined) throw new ServiceError('not_found')
  const earlier = await db
    .selectFrom('advisory_version')
    .select(['number', 'summary', 'released_at', 'tlp'])
    .where('workspace_id', '=', workspaceId)
    .where('advisory_id', '=', advisoryId)
    .orderBy('ordinal')
    .execute()
  const before = advisory.content?.products ?? []
  const content = await withProductNames(db, workspaceId, { content: given, before })
  const last = earlier.at(-1)?.released_at
  const releasedAt = last === undefined || last < now ? now : new Date(last.getTime() + 1)
  const publisher = await publisherOf(db, workspaceId)
  return documentInput({ ...rest, content, earlier, publisher, releasedAt, trackingId: advisory.tracking_id })
}
