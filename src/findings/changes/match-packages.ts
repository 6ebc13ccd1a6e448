import type { Db } from '../../database/connection.ts'
import type { GroupMerge } from '../../vulndata/store/group-merges.ts'
import { matchAgain } from './match-again.ts'
import { moveFindings } from './move-findings.ts'
import { enqueueStaleFamilies } from './stale-families.ts'
import { enqueueVerdictRefreshes } from './stale-verdicts.ts'

type PackageTask = {
  packageKeys: readonly string[]
  /** Groups that were merged into another. */
  mergedGroups?: readonly GroupMerge[]
}

/**
 * After records changed (job `match_packages`): moves findings with their vulnerability into another group, matches the identities on the package
 * keys again and enqueues a refresh of the families reached through changed results, or with verdicts on the vulnerabilities. A second run changes
 * nothing. Most packages of a source have no component, which costs one look-up.
 */
export async function matchPackages(
  db: Db,
  { packageKeys, mergedGroups = [], now }: PackageTask & { now: Date },
): Promise<void> {
  await moveFindings(db, mergedGroups)
  const identityIds = await selectIdentitiesOfPackages(db, packageKeys)
  if (identityIds.length > 0) {
    await matchAgain(db, identityIds, now)
    await enqueueStaleFamilies(db, identityIds, now)
  }
  const groupIds = mergedGroups.map(({ into }) => into)
  await enqueueVerdictRefreshes(db, { packageKeys, identityIds, groupIds }, now)
}

/** Those that have one of the package keys as their own or as a further one. Indexes component_identity_package, identity_key_package. */
async function selectIdentitiesOfPackages(db: Db, packageKeys: readonly string[]): Promise<string[]> {
  if (packageKeys.length === 0) return []
  const rows = await db
    .selectFrom('component_identity')
    .select('id')
    .where('package_key', 'in', packageKeys)
    .union(db.selectFrom('identity_key').select('identity_id as id').where('package_key', 'in', packageKeys))
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}
