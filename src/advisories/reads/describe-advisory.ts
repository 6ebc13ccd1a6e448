import type {
  AdvisoryDetail,
  AdvisoryDraft,
  AdvisoryLinkRow,
  AdvisoryProducts,
} from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { documentAddress, numberAfter } from '../publish/document-input.ts'
import { selectHelpers } from '../drafts/product-helpers.ts'
import { selectAdvisorySettings } from '../drafts/settings.ts'
import { selectDraft, selectLinks, selectVersions, type AdvisoryKey } from './stored-advisory.ts'

type Asked = AdvisoryKey & {
  personId: string | null
  seesInbox: boolean
  slug: string
  baseUrl: string
}

/** An advisory with its draft and its versions. Codes: `not_found`. */
export async function describeAdvisory(db: Db, asked: Asked): Promise<AdvisoryDetail> {
  const { workspaceId, advisoryId, slug, baseUrl } = asked
  const advisory = await db
    .selectFrom('advisory')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', advisoryId)
    .executeTakeFirst()
  if (advisory === undefined) throw new ServiceError('not_found')
  const earlier = await selectVersions(db, asked)
  const versions = earlier.toReversed()
  const { year, file_name: file } = advisory
  const isPublic = versions[0]?.tlp === 'WHITE' && year !== null
  const page = `${baseUrl}/disclose/${slug}/advisories/${advisory.tracking_id}`
  return {
    id: advisory.id,
    trackingId: advisory.tracking_id,
    createdAt: advisory.created_at.toISOString(),
    createdBy: advisory.created_by_name,
    draft: await draftOf(db, asked),
    versions: versions.map(({ ordinal: _ordinal, sha512: _sha512, releasedAt, ...version }) => ({
      ...version,
      releasedAt: releasedAt.toISOString(),
    })),
    publicUrls: isPublic ? { page, document: documentAddress({ slug, year, file, baseUrl }) } : null,
    links: await linksOf(db, asked),
    nextNumbers: {
      update: numberAfter(earlier, 'update'),
      correction: numberAfter(earlier, 'correction'),
    },
    secondPersonPublishes: (await selectAdvisorySettings(db, workspaceId)).secondPersonPublishes,
  }
}

async function draftOf(db: Db, asked: Asked): Promise<AdvisoryDraft | null> {
  const draft = await selectDraft(db, asked)
  if (draft === undefined) return null
  const { edited_by: editor, editedAt, ...shown } = draft
  return {
    ...shown,
    editedAt: editedAt.toISOString(),
    isOwn: editor !== null && editor === asked.personId,
  }
}

async function linksOf(db: Db, asked: Asked): Promise<AdvisoryLinkRow[]> {
  const rows = await selectLinks(db, asked)
  return rows.flatMap(({ id, reference, number, embargoUntil }): AdvisoryLinkRow[] => {
    if (reference !== null) return [{ kind: 'incident', id, reference }]
    return number !== null && asked.seesInbox ? [{ kind: 'inbox_report', id, number, embargoUntil }] : []
  })
}

/** The bytes of a version, whatever its TLP. Codes: `not_found`. */
export async function selectVersionFile(
  db: Db,
  { workspaceId, advisoryId, number }: { workspaceId: string; advisoryId: string; number: string },
): Promise<{ fileName: string; bytes: Buffer }> {
  const version = await db
    .selectFrom('advisory_version as v')
    .innerJoin('advisory as a', 'a.id', 'v.advisory_id')
    .select(['v.bytes', 'a.file_name'])
    .where('v.workspace_id', '=', workspaceId)
    .where('v.advisory_id', '=', advisoryId)
    .where('v.number', '=', number)
    .executeTakeFirst()
  if (version === undefined) throw new ServiceError('not_found')
  return { fileName: version.file_name, bytes: version.bytes }
}

/** Every family in use with its versions, the newest first, and what tools know them by. */
export async function selectProducts(db: Db, workspaceId: string): Promise<AdvisoryProducts['families']> {
  const rows = await db
    .selectFrom('product_version as v')
    .innerJoin('family as f', 'f.id', 'v.family_id')
    .select(['f.id as familyId', 'f.name as family', 'v.id', 'v.name', 'v.retired_at'])
    .where('v.workspace_id', '=', workspaceId)
    .where('f.deleted_at', 'is', null)
    .orderBy((order) => order.fn('lower', ['f.name']))
    .orderBy('f.id')
    .orderBy('v.created_at', 'desc')
    .orderBy('v.id', 'desc')
    .execute()
  const helpers = await selectHelpers(
    db,
    workspaceId,
    rows.map(({ id }) => id),
  )
  const families = [...Map.groupBy(rows, ({ familyId }) => familyId).values()]
  return families.map((versions) => ({
    id: versions[0]?.familyId ?? '',
    name: versions[0]?.family ?? '',
    versions: versions.map(({ id, name, retired_at: at }) => ({
      id,
      name,
      isRetired: at !== null,
      ...(helpers.get(id) ?? { purl: '', cpe: '' }),
    })),
  }))
}
