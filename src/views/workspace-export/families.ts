import type { Tx } from '../../database/connection.ts'
import { productFactsOf } from '../../products/families/facts/product-facts.ts'
import { jsonFile, type ExportFile } from './export-file.ts'

/** A product family that is not deleted, with its versions. */
export type FamilyRow = Awaited<ReturnType<typeof selectFamilies>>[number]

/** Archived ones too. */
export async function selectFamilies(tx: Tx, workspaceId: string) {
  const families = await tx
    .selectFrom('family')
    .select(['id', 'workspace_id as workspaceId', 'name', 'current_version_id as currentVersionId'])
    .select(['created_at as createdAt', 'archived_at as archivedAt'])
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const versions = await tx
    .selectFrom('product_version as v')
    .innerJoin('family as f', 'f.id', 'v.family_id')
    .select(['v.id', 'v.family_id', 'v.name', 'v.created_at as createdAt', 'v.retired_at as retiredAt'])
    .where('f.workspace_id', '=', workspaceId)
    .where('f.deleted_at', 'is', null)
    .orderBy('v.created_at')
    .orderBy('v.id')
    .execute()
  const facts = await tx
    .selectFrom('product_facts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute()
  const retentions = await tx
    .selectFrom('sbom_retention')
    .select([
      'family_id',
      'keep',
      'amount',
      'cra_lifted_at as craLiftedAt',
      'cra_lifted_by_name as craLiftedBy',
    ])
    .select(['changed_at as changedAt', 'changed_by_name as changedBy'])
    .where('workspace_id', '=', workspaceId)
    .execute()
  const ofFamily = Map.groupBy(versions, ({ family_id }) => family_id)
  return families.map((family) => ({
    ...family,
    productFacts: factsOf(facts.find((one) => one.family_id === family.id)),
    sbomRetention: retentionOf(retentions.find((one) => one.family_id === family.id)),
    versions: (ofFamily.get(family.id) ?? []).map(({ family_id: _family, ...version }) => version),
  }))
}

/** Null: all SBOMs are kept. */
function retentionOf<Row extends { family_id: string }>(row: Row | undefined) {
  if (row === undefined) return null
  const { family_id: _family, ...retention } = row
  return retention
}

function factsOf(row: Parameters<typeof productFactsOf>[0] | undefined) {
  if (row === undefined) return null
  return { ...productFactsOf(row), changedAt: row.changed_at, changedBy: row.changed_by_name }
}

export function familiesFile(families: readonly FamilyRow[]): ExportFile {
  return jsonFile('families', {
    families: families.map(({ workspaceId: _workspaceId, ...family }) => family),
  })
}
