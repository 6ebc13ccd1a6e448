import { sql } from 'kysely'
import type { Grade } from '../../contract/findings/shapes.ts'
import type { WorstFinding } from '../../contract/sbom/result.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { selectFixedVersions } from '../fixed-versions.ts'
import { namesOfGroups } from '../verdicts/names-of-group.ts'
import { isSettled } from '../verdicts/settled.ts'
import type { SbomKey } from '../version-slot.ts'
import { epssOfGroup } from '../../vulndata/reads/epss-of-group.ts'
import { selectSbomView } from './count-findings.ts'
import { findingsOfSbom, urgencyBand } from './finding-query.ts'

type StoredWorst = {
  id: string
  identity_id: string
  group_id: number
  title: string
  severity: Severity
  grade: Grade
  is_malware: boolean
  is_exploited: boolean
  group_name: string | null
  name: string
  version: string | null
  purl: string | null
}

/**
 * The open findings of an SBOM to look at first: malware, what is exploited, then by severity and EPSS. null where they are not those of
 * the SBOM's own components: another one has taken its place, or it is not matched yet. `pages` is the address below which the pages of findings lie.
 */
export async function selectWorstFindings(
  db: Db,
  sbom: SbomKey,
  { pages, max }: { pages: string; max: number },
): Promise<WorstFinding[] | null> {
  const view = await selectSbomView(db, sbom)
  if (view === undefined || !view.isShown || !view.isMatched) return null
  const { rows } = await sql<StoredWorst>`
    with ${findingsOfSbom(sbom.sbomId, view)},
    ranked as materialized (
      select f.*, f.exploited_by <> '{}' as is_exploited, ${band} as band
      from open_finding f
      where not ${isSettled('f')}
    ),
    near as materialized (
      select * from ranked order by band fetch first (${max}::int) rows with ties
    )
    select f.id, f.identity_id, f.group_id, f.title, f.severity, f.grade, f.is_malware, f.is_exploited, f.group_name, f.name, f.version, f.purl
    from near f
    left join lateral ${epssOfGroup(sql.ref('f.group_id'))} e on true
    order by f.band, e.score desc nulls last, f.title, lower(f.name), f.id
    limit ${max}`.execute(db)
  const fixedIn = await selectFixedVersions(
    db,
    rows.map((row) => ({ identityId: row.identity_id, groupId: row.group_id })),
  )
  const cves = await selectCves(
    db,
    rows.map((row) => row.group_id),
  )
  return rows.map((row) => ({
    id: cves.get(row.group_id) ?? row.title,
    severity: row.severity,
    grade: row.grade,
    malware: row.is_malware,
    exploited: row.is_exploited,
    component: {
      name: row.group_name === null ? row.name : `${row.group_name}/${row.name}`,
      version: row.version,
      purl: row.purl,
    },
    fixedIn: row.is_malware ? null : fixedIn({ identityId: row.identity_id, groupId: row.group_id }),
    url: `${pages}/findings/${row.id}`,
  }))
}

const band = urgencyBand({
  isMalware: sql`f.is_malware`,
  exploitedBy: sql`f.exploited_by`,
  severity: sql`f.severity`,
})

/** The CVE of each vulnerability that is one: a notice may be about several. */
async function selectCves(db: Db, groupIds: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ group_id: number; cve: string }>`
    with ${namesOfGroups(sql`select distinct group_id from unnest(${groupIds}::bigint[]) as g (group_id)`)}
    select group_id, min(id) as cve
    from group_name
    where id like 'CVE-%'
    group by group_id
    having count(distinct id) = 1`.execute(db)
  return new Map(rows.map((row) => [row.group_id, row.cve]))
}
