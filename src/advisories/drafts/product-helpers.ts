import type { Db } from '../../database/connection.ts'
import { parseCpe } from '../../formats/cpe.ts'
import { parsePurl } from '../../formats/purl/purl.ts'
import { advisoryLimits } from '../../contract/advisories/shapes.ts'

/** What tools know a product version by; empty: nothing that can be read. */
type ProductHelper = { purl: string; cpe: string }

/** What the active SBOM of each version says of its main component; versions without one are left out. Index sbom_active. */
export async function selectHelpers(
  db: Db,
  workspaceId: string,
  versionIds: readonly string[],
): Promise<Map<string, ProductHelper>> {
  if (versionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('product_version as v')
    .innerJoin('sbom as s', (join) =>
      join.onRef('s.family_id', '=', 'v.family_id').onRef('s.version_id', '=', 'v.id'),
    )
    .select(['v.id as versionId', 's.main_component as main'])
    .where('v.workspace_id', '=', workspaceId)
    .where('v.id', 'in', versionIds)
    .where('s.active', '=', true)
    .execute()
  return new Map(rows.map(({ versionId, main }) => [versionId, helperOf(main)]))
}

/** Text from outside must not prevent publication: unreadable values are left out. */
function helperOf(main: Record<string, unknown> | null): ProductHelper {
  const { purl, cpe } = main ?? {}
  return {
    purl: isShort(purl) && parsePurl(purl) !== undefined ? purl.trim() : '',
    cpe: isShort(cpe) && parseCpe(cpe) !== undefined ? cpe.trim() : '',
  }
}

function isShort(text: unknown): text is string {
  return typeof text === 'string' && text.length <= advisoryLimits.urlCharacters
}
