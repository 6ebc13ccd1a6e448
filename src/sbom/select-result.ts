import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '../contract/errors.ts'
import type { Coverage, SbomResult, SbomStatus, Severity } from '../contract/sbom.ts'
import type { Db } from '../database/connection.ts'
import { sbomReceipt, type StoredSbom } from './receipt.ts'

type SbomKey = { workspaceId: string; familyId: string; sbomId: string }

const pollMs = 250

/**
 * Waits until matching of an SBOM has ended, for at most `waitMs` or until `stop` fires; whichever comes first, the answer is
 * read afterwards. Codes: `not_found`.
 */
export async function awaitMatching(
  db: Db,
  key: SbomKey,
  { waitMs, stop }: { waitMs: number; stop: AbortSignal },
): Promise<void> {
  const endsAt = performance.now() + waitMs
  while (!hasEnded(await selectStatus(db, key)) && !stop.aborted) {
    const leftMs = endsAt - performance.now()
    if (leftMs <= 0) return
    await sleep(Math.min(pollMs, leftMs), undefined, { signal: stop }).catch(ignoreAbort)
  }
}

function hasEnded(status: SbomStatus): boolean {
  return status === 'matched' || status === 'failed'
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}

/** What a results token may read of an SBOM of its family (decisions, "results for CI"). Codes: `not_found`. */
export async function selectResult(db: Db, key: SbomKey, baseUrl: string): Promise<SbomResult> {
  const stored = await selectStored(db, key)
  const findings = await countFindings(db, key)
  const coverage = await countCoverage(db, key)
  return { ...sbomReceipt(stored, baseUrl), matches: { ...findings, coverage } }
}

async function selectStatus(db: Db, { workspaceId, familyId, sbomId }: SbomKey): Promise<SbomStatus> {
  const row = await db
    .selectFrom('sbom')
    .select('status')
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('id', '=', sbomId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  return row.status
}

async function selectStored(db: Db, { workspaceId, familyId, sbomId }: SbomKey): Promise<StoredSbom> {
  const row = await db
    .selectFrom('sbom as s')
    .innerJoin('workspace as w', 'w.id', 's.workspace_id')
    .leftJoin('product_version as v', 'v.id', 's.version_id')
    .select(['s.id', 's.status', 's.component_count', 'w.slug', 'v.name as version'])
    .where('s.workspace_id', '=', workspaceId)
    .where('s.family_id', '=', familyId)
    .where('s.id', '=', sbomId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('not_found')
  const { id, status, slug, component_count: components, version } = row
  return { id, workspaceSlug: slug, status, components, productVersion: version, isDuplicate: false }
}

type FindingRow = { severity: Severity; grade: 'exact' | 'possible'; is_exploited: boolean; count: number }

/** Open findings of the SBOM's version on the components of this SBOM. None of them carries a verdict: VEX is not read. */
async function countFindings(
  db: Db,
  { workspaceId, familyId, sbomId }: SbomKey,
): Promise<Omit<SbomResult['matches'], 'coverage'>> {
  const { rows } = await sql<FindingRow>`
    select g.severity, f.grade, cardinality(f.exploited_by) > 0 as is_exploited, count(*) as count
    from sbom s
    join finding f on f.family_id = s.family_id and f.version_id is not distinct from s.version_id
    join vulnerability_group g on g.id = f.group_id
    where s.workspace_id = ${workspaceId} and s.family_id = ${familyId} and s.id = ${sbomId} and f.closed_at is null
      and f.identity_id in (
        select c.identity_id from component c
        where c.family_id = s.family_id and c.number = any(s.component_numbers))
    group by 1, 2, 3`.execute(db)
  const bySeverity = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 }
  const byGrade = { exact: 0, possible: 0 }
  let total = 0
  let exploited = 0
  for (const row of rows) {
    total += row.count
    bySeverity[row.severity] += row.count
    byGrade[row.grade] += row.count
    if (row.is_exploited) exploited += row.count
  }
  return { total, bySeverity, byGrade, exploited, notAffected: 0 }
}

const coverageNames = {
  covered: 'covered',
  not_covered: 'notCovered',
  no_version: 'noVersion',
  uncomparable: 'uncomparable',
  release_unknown: 'releaseUnknown',
  data_not_loaded: 'dataNotLoaded',
} as const satisfies Record<string, keyof Coverage>

/** Distinct components by whether they can be decided. Served by the primary key of component. */
async function countCoverage(db: Db, { workspaceId, familyId, sbomId }: SbomKey): Promise<Coverage> {
  const { rows } = await sql<{ decidability: keyof typeof coverageNames; count: number }>`
    select case when i.decidability = 'covered' and d.last_success_at is null then 'data_not_loaded'
        else i.decidability end as decidability,
      count(*) as count
    from sbom s
    join component c on c.family_id = s.family_id and c.number = any(s.component_numbers)
    join component_identity i on i.id = c.identity_id
    left join data_source d on d.name = 'osv:' || i.ecosystem
    where s.workspace_id = ${workspaceId} and s.family_id = ${familyId} and s.id = ${sbomId}
    group by 1`.execute(db)
  const coverage: Coverage = {
    covered: 0,
    notCovered: 0,
    noVersion: 0,
    uncomparable: 0,
    releaseUnknown: 0,
    dataNotLoaded: 0,
  }
  for (const row of rows) coverage[coverageNames[row.decidability]] = row.count
  return coverage
}
