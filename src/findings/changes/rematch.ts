import type { Db } from '../../database/connection.ts'
import { matchIdentities } from '../../matching/match-identities.ts'
import {
  joinFindingChanges,
  noFindingChanges,
  refreshVersions,
  type FindingChanges,
} from '../refresh/refresh-findings.ts'
import { monitored } from '../../workspace/state.ts'
import { nameIdentities } from './name-identities.ts'
import { joinMatchChanges, noMatchChanges, type MatchChanges } from '../../matching/write-matches.ts'

export type RematchReport = {
  identities: number
  families: number
  /** Stored results that differed from what the data says now; they are repaired. */
  matches: MatchChanges
  /** Results of identities that were matched for the first time: they are new, not different. */
  firstMatches: number
  /** Findings that differed; they are repaired. */
  findings: FindingChanges
  /** Jobs that still had something to match or refresh when the run began: differences may be theirs. */
  pendingJobs: number
  /** No stored result and no finding differed. */
  isConsistent: boolean
}

type RematchRun = {
  now: Date
  onProgress?: (progress: { label: string; done: number; total: number }) => void
}

/** Identities read at once; they are matched in smaller transactions. */
const identitiesPerRead = 20_000

/**
 * Recalculates every result and every finding, in place: the check that incremental matching has missed nothing.
 * Differences are repaired and reported; with no job pending any difference is a defect. Uploads and imports continue
 * meanwhile.
 */
export async function rematch(db: Db, run: RematchRun): Promise<RematchReport> {
  const pendingJobs = await countPendingJobs(db)
  const identities = await rematchIdentities(db, run)
  const families = await refreshFamilies(db, run)
  const { matches } = identities
  const { findings } = families
  const differences =
    matches.added +
    matches.removed +
    matches.changed +
    findings.opened +
    findings.reopened +
    findings.changed +
    findings.closed
  return { ...identities, ...families, pendingJobs, isConsistent: differences === 0 }
}

async function rematchIdentities(
  db: Db,
  { now, onProgress }: RematchRun,
): Promise<Pick<RematchReport, 'identities' | 'matches' | 'firstMatches'>> {
  const total = await countIdentities(db)
  let report = { identities: 0, matches: noMatchChanges, firstMatches: 0 }
  let last: string | null = null
  for (;;) {
    const rows = await selectIdentitiesAfter(db, last)
    last = rows.at(-1)?.id ?? last
    if (rows.length === 0) return report
    await nameIdentities(
      db,
      rows.map((row) => row.id),
      now,
    )
    const known = rows.filter((row) => row.matched_at !== null).map((row) => row.id)
    const fresh = rows.filter((row) => row.matched_at === null).map((row) => row.id)
    report = {
      identities: report.identities + rows.length,
      matches: joinMatchChanges(report.matches, await matchIdentities(db, known, { now })),
      firstMatches: report.firstMatches + (await matchIdentities(db, fresh, { now })).added,
    }
    onProgress?.({ label: 'identities', done: report.identities, total: Math.max(total, report.identities) })
  }
}

async function refreshFamilies(
  db: Db,
  { now, onProgress }: RematchRun,
): Promise<Pick<RematchReport, 'families' | 'findings'>> {
  const families = await db
    .selectFrom('family as f')
    .innerJoin('workspace as w', 'w.id', 'f.workspace_id')
    .select(['f.workspace_id as workspaceId', 'f.id as familyId'])
    .where('f.deleted_at', 'is', null)
    // the others are worked out when their pause ends
    .where(monitored('w', now))
    .orderBy('f.id')
    .execute()
  let findings = noFindingChanges
  for (const [index, family] of families.entries()) {
    findings = joinFindingChanges(findings, await refreshVersions(db, family, now))
    onProgress?.({ label: 'families', done: index + 1, total: families.length })
  }
  return { families: families.length, findings }
}

async function selectIdentitiesAfter(
  db: Db,
  last: string | null,
): Promise<{ id: string; matched_at: Date | null }[]> {
  return db
    .selectFrom('component_identity')
    .select(['id', 'matched_at'])
    .$if(last !== null, (query) => query.where('id', '>', last))
    .orderBy('id')
    .limit(identitiesPerRead)
    .execute()
}

async function countIdentities(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('component_identity')
    .select(db.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

async function countPendingJobs(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('job')
    .select(db.fn.countAll<number>().as('count'))
    .where('kind', 'in', [
      'match_sbom',
      'match_packages',
      'match_digests',
      'refresh_findings',
      'refresh_exploited',
      'renew_version_keys',
    ])
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow()
  return count
}
