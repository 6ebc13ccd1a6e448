import { sql } from 'kysely'
import type { BadgeFacts } from '../contract/metrics/badge.ts'
import type { Db } from '../database/connection.ts'
import { dayMs } from '../contract/durations.ts'
import { countFamilies, sumFigures } from '../metrics/days/count-families.ts'
import { findingSeverity, ownSeverity } from '../findings/own-severity.ts'
import { selectOldestBehind } from '../inventory/coverage/data-behind.ts'
import { isSettled } from '../findings/verdicts/settled.ts'
import { isLoaded, listSources } from '../vulndata/source-states.ts'
import type { FamilyKey } from '../workspace/monitoring/family-key.ts'
import { effectiveState, type PlanAndDates } from '../workspace/state.ts'

const freshDays = 7

/** What the badge of a family says now. */
export async function selectBadgeFacts(
  db: Db,
  { workspaceId, familyId, ...workspace }: FamilyKey & PlanAndDates,
  now: Date,
): Promise<BadgeFacts> {
  const figures = sumFigures(await countFamilies(db, workspaceId, familyId))
  const { exploited, covered, components } = figures
  const { rows } = await sql<{ malware: number; critical: number }>`
    select count(*) filter (where g.is_malware) as malware,
      count(*) filter (where ${findingSeverity.severity} = 'critical') as critical
    from finding f
    join vulnerability_group g on g.id = f.group_id
    left join ${ownSeverity(sql.ref('f.identity_id'))}
    where f.workspace_id = ${workspaceId} and f.family_id = ${familyId} and f.closed_at is null and not ${isSettled('f')}`.execute(
    db,
  )
  const loaded = (await listSources(db)).filter(({ lastSuccessAt }) => lastSuccessAt !== null)
  const isFresh = (at: Date | null) => now.getTime() - (at?.getTime() ?? 0) < freshDays * dayMs
  const fresh = loaded.filter(({ lastSuccessAt }) => isFresh(lastSuccessAt))
  const oldest = await selectOldestBehind(db, { workspaceId, familyId })
  return {
    state: effectiveState(workspace, now),
    malware: rows[0]?.malware ?? 0,
    exploited,
    covered,
    components,
    critical: rows[0]?.critical ?? 0,
    isDataOld: oldest !== null && !isFresh(oldest),
    isDataReady: isLoaded(loaded, 'records') && isLoaded(fresh, 'exploited'),
  }
}
