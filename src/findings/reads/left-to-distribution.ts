import { sql } from 'kysely'
import type { LeftToDistribution } from '../../contract/sbom/rows.ts'
import type { Db } from '../../database/connection.ts'
import { shownTitle } from '../shown-title.ts'
import { ownershipsWhere, suppressedFindings } from '../refresh/owned-components.ts'
import type { SbomKey } from '../version-slot.ts'
import { listedRecords, wantedFindings } from '../refresh/wanted-findings.ts'

const maxShown = 100

type StoredLeft = {
  title: string
  name: string
  version: string | null
  package_name: string
  package_version: string | null
  total: number
}

/**
 * The findings that an SBOM does not have because a package of the distribution installed the component and the distribution counts its
 * version as not affected; shown, so that nothing looks clean by omission. The first hundred by vulnerability.
 */
export async function selectLeftToDistribution(db: Db, sbom: SbomKey): Promise<LeftToDistribution> {
  if (!(await hasOwners(db, sbom))) return { total: 0, rows: [] }
  const { rows } = await sql<StoredLeft>`
    with ownership as materialized (
      ${ownershipsWhere(sql<boolean>`s.workspace_id = ${sbom.workspaceId} and s.id = ${sbom.sbomId}`)}
    ),
    part as materialized (select distinct identity_id from ownership),
    ${listedRecords},
    ${wantedFindings},
    ${suppressedFindings}
    select ${shownTitle('g.title_id')} as title, o.name, o.version, o.package_name, o.package_version, count(*) over () as total
    from suppressed x
    join vulnerability_group g on g.id = x.group_id
    cross join lateral (
      select c.name, c.version, e.name as package_name, e.version as package_version
      from ownership p
      join sbom s on s.id = p.sbom_id
      join component c on c.family_id = s.family_id and c.number = p.number
      join component e on e.family_id = s.family_id and e.identity_id = p.owner_id and e.number = any(s.owner_numbers)
      where p.identity_id = x.identity_id
      order by c.number, e.number limit 1
    ) o
    order by ${shownTitle('g.title_id')} collate "C", o.name collate "C", o.version collate "C"
    limit ${maxShown}`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.map(({ title, name, version, ...row }) => ({
      title,
      component: { name, version },
      package: { name: row.package_name, version: row.package_version },
    })),
  }
}

/** Hardly any SBOM says who owns what. */
async function hasOwners(db: Db, { workspaceId, sbomId }: SbomKey): Promise<boolean> {
  const { rows } = await sql`
    select from sbom where workspace_id = ${workspaceId} and id = ${sbomId} and owner_numbers <> '{}'`.execute(
    db,
  )
  return rows.length > 0
}
