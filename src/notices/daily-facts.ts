import { sql, type RawBuilder } from 'kysely'
import type { NoticeData, NoticeFact } from '../contract/notices/shapes.ts'
import { bySeverity, type Severity } from '../contract/severities.ts'
import type { Db } from '../database/connection.ts'
import type { LostCoverage } from '../contract/inventory/shapes.ts'
import { selectLostCoverage } from '../metrics/days/coverage-days.ts'
import { shownTitle } from '../findings/shown-title.ts'
import { findingSeverity, ownSeverity } from '../findings/own-severity.ts'
import { namesDirectly, recordsListedBy } from '../findings/refresh/wanted-findings.ts'
import { isSettled } from '../findings/verdicts/settled.ts'
import { entriesOn } from '../vulndata/catalogues/entries-on.ts'

type Window = { since: Date; until: Date }
type DailyFact = Extract<
  NoticeFact,
  { type: 'finding.new' | 'finding.exploited' | 'upload.failed' | 'coverage.lost' }
>

/** What came in to a workspace in a period, for its digests. Most of its members have the same period: each is counted once. */
export class DailyFacts {
  readonly #db: Db
  readonly #known = new Map<string, Promise<DailyFact[]>>()

  constructor(db: Db) {
    this.#db = db
  }

  /** Only what is worth telling, the most urgent first. */
  of(workspaceId: string, window: Window): Promise<DailyFact[]> {
    const key = [workspaceId, window.since.toISOString(), window.until.toISOString()].join(' ')
    let facts = this.#known.get(key)
    if (facts === undefined) {
      facts = this.#read(workspaceId, window)
      this.#known.set(key, facts)
    }
    return facts
  }

  async #read(workspaceId: string, window: Window): Promise<DailyFact[]> {
    const exploited = await selectNewlyExploited(this.#db, workspaceId, window)
    const bySeverity = await countNewFindings(this.#db, workspaceId, window)
    const failed = await selectFailedUploads(this.#db, workspaceId, window)
    const lost = await selectLostCoverage(this.#db, workspaceId, window)
    return [
      ...(exploited.findings > 0 ? [{ type: 'finding.exploited', data: exploited } as const] : []),
      ...(Object.values(bySeverity).some((count) => count > 0)
        ? [{ type: 'finding.new', data: { bySeverity } } as const]
        : []),
      ...(failed.sboms + failed.refusals > 0 ? [{ type: 'upload.failed', data: failed } as const] : []),
      ...(lost.length > 0 ? [{ type: 'coverage.lost', data: firstFew(lost) } as const] : []),
    ]
  }
}

/** A notice names so many ecosystems. */
const maxEcosystems = 5

function firstFew(lost: readonly LostCoverage[]): NoticeData['coverage.lost'] {
  return { ecosystems: lost.slice(0, maxEcosystems), more: Math.max(0, lost.length - maxEcosystems) }
}

/** Findings first seen in the time that are still open and not declared not affected or fixed. */
async function countNewFindings(
  db: Db,
  workspaceId: string,
  { since, until }: Window,
): Promise<Record<Severity, number>> {
  const { rows } = await sql<{ severity: Severity; count: number }>`
    select ${findingSeverity.severity} as severity, count(*) as count
    from finding f
    join vulnerability_group g on g.id = f.group_id
    left join ${ownSeverity(sql`f.identity_id`)}
    where f.workspace_id = ${workspaceId} and f.closed_at is null and not ${isSettled('f')}
      and f.first_seen_at > ${since} and f.first_seen_at <= ${until}
    group by 1`.execute(db)
  const counts = new Map(rows.map(({ severity, count }) => [severity, count]))
  return bySeverity((severity) => counts.get(severity) ?? 0)
}

/** A notice names so many vulnerabilities. */
const maxNamed = 5

/**
 * Open findings that catalogues list, where the finding or the listing is new, with the names of their vulnerabilities: of a notice that has a name of
 * its own, the CVEs for which it is told.
 */
export async function selectNewlyExploited(
  db: Db,
  workspaceId: string,
  { since, until }: Window,
): Promise<NoticeData['finding.exploited']> {
  const { rows } = await sql<{ findings: number; vulnerabilities: string[] }>`
    with new_entry as (
      select * from exploited where first_seen_at > ${since} and first_seen_at <= ${until}
    ),
    ${recordsListedBy(sql`new_entry`)},
    fresh as (
      select f.group_id, f.first_seen_at > ${since} and f.first_seen_at <= ${until} as is_new
      from finding f
      where f.workspace_id = ${workspaceId} and f.closed_at is null and f.exploited_by <> '{}' and not ${isSettled('f')}
        and (f.first_seen_at > ${since} and f.first_seen_at <= ${until} or f.group_id in (
          select v.group_id from listed l
          join vulnerability v on v.id = l.vulnerability_id and v.withdrawn_at is null and v.class <> 'informational'))
    ),
    told as (
      select distinct coalesce(n.id, ${shownTitle('g.title_id')}) as id
      from (select group_id, bool_or(is_new) as is_new from fresh group by group_id) h
      join vulnerability_group g on g.id = h.group_id
      left join lateral ${listedCves({ since, until })} n on g.title_id not like 'CVE-%'
    )
    select (select count(*) from fresh) as findings,
      coalesce((select array_agg(id order by id) from (
        select id from told order by id limit ${sql.lit(maxNamed)}) t), '{}') as vulnerabilities`.execute(db)
  return rows[0] ?? { findings: 0, vulnerabilities: [] }
}

/** Of a group `h`: its CVEs that a catalogue lists, those listed in the time where no finding is new. */
function listedCves({ since, until }: Window): RawBuilder<unknown> {
  return sql`(
    select a.other_id as id
    from vulnerability v
    join alias_assertion a on a.vulnerability_id = v.id and ${namesDirectly('a')} and a.other_id like 'CVE-%'
    cross join lateral ${entriesOn(sql`a.other_id`)} o
    join exploited e on e.id = o.id and e.removed_at is null
    where v.group_id = h.group_id and v.withdrawn_at is null and v.class <> 'informational'
      and (h.is_new or e.first_seen_at > ${since} and e.first_seen_at <= ${until})
  )`
}

/** SBOMs that could not be matched, and what was refused of connectors. Index sbom_failed. */
async function selectFailedUploads(
  db: Db,
  workspaceId: string,
  { since, until }: Window,
): Promise<NoticeData['upload.failed']> {
  const { rows } = await sql<{
    sboms: number
    refusals: number
    family: string | null
    reason: string | null
  }>`
    with failed as (
      select s.family_id, s.failed_at as at, s.failure as reason, true as is_sbom, 1 as times from sbom s
      where s.workspace_id = ${workspaceId} and s.status = 'failed' and s.failed_at > ${since} and s.failed_at <= ${until}
      union all
      select r.family_id, r.at, coalesce(r.detail, r.error), false, r.times from connector_refusal r
      where r.workspace_id = ${workspaceId} and r.resolved_at is null and r.at > ${since} and r.at <= ${until}
    ), newest as (
      select y.name, f.reason from failed f join family y on y.id = f.family_id order by f.at desc limit 1
    )
    select (select count(*) from failed where is_sbom) as sboms,
      (select coalesce(sum(times), 0)::int from failed where not is_sbom) as refusals,
      (select name from newest) as family, (select reason from newest) as reason`.execute(db)
  const { sboms = 0, refusals = 0, family = null, reason = null } = rows[0] ?? {}
  return { sboms, refusals, latest: family === null ? null : { family, reason: reason ?? '' } }
}
