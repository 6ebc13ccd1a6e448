import { sql, type RawBuilder } from 'kysely'
import { ServiceError } from '../../contract/errors.ts'
import { internalId } from '../../contract/public/public-id.ts'
import type { Justification, Verdict } from '../../contract/vex/shapes.ts'
import type { Db } from '../../database/connection.ts'
import { parseCpe, writtenCpe } from '../../formats/cpe.ts'
import { withoutVersion, withVersion } from '../../formats/purl/purl-version.ts'
import { parsePurl } from '../../formats/purl/purl.ts'
import { writtenPurl } from '../../formats/purl/written-purl.ts'
import type { Identifiers } from '../../formats/vex/identifiers.ts'
import type { VexState, VexStateEntry } from '../../formats/vex/vex-state.ts'
import { stateEntries, type GroupNames, type Judgement } from '../../vex/export-state.ts'
import { componentsOfSbom } from '../../sbom/components/components-of-sbom.ts'
import { namesOfGroups } from '../../findings/verdicts/names-of-group.ts'
import type { FamilyKey } from '../../workspace/monitoring/family-key.ts'

/** `version`: the name of one; null: what holds for every version. */
export type ExportScope = FamilyKey & { version: string | null }

export type ExportedState = {
  versionId: string | null
  product: VexState['product']
  entries: VexStateEntry[]
}

/** The name of the family or version, and the verdicts in force on its open findings, ready to be written. Codes: `not_found`. */
export async function selectVexEntries(db: Db, scope: ExportScope): Promise<ExportedState> {
  const family = await selectFamily(db, scope)
  const isInScope = sql<boolean>`f.workspace_id = ${scope.workspaceId} and f.family_id = ${scope.familyId}
    and f.closed_at is null and ${family.versionId === null ? sql`true` : sql`f.version_id = ${family.versionId}`}`
  const parts = await selectParts(db, isInScope)
  const names = await selectNames(db, isInScope)
  return {
    versionId: family.versionId,
    product: {
      name: family.name,
      version: scope.version,
      ...(await selectProductIdentifiers(db, scope, family.versionId)),
    },
    entries: stateEntries(
      parts.map((part) => ({
        groupId: part.group_id,
        version: part.version,
        purl: part.purl,
        cpe: part.cpe,
        other_names: part.other_names,
        judgement: judgementOf(part),
      })),
      names,
    ),
  }
}

async function selectFamily(
  db: Db,
  { workspaceId, familyId, version }: ExportScope,
): Promise<{ name: string; versionId: string | null }> {
  const { rows } = await sql<{ name: string; versionId: string | null }>`
    select f.name, p.id as "versionId"
    from family f
    left join product_version p on p.family_id = f.id and p.name = ${version}::text
    where f.workspace_id = ${workspaceId} and f.id = ${familyId} and f.deleted_at is null`.execute(db)
  const [family] = rows
  if (family === undefined || (version !== null && family.versionId === null))
    throw new ServiceError('not_found')
  return family
}

type StoredPart = {
  group_id: number
  version: string | null
  purl: string | null
  cpe: string | null
  other_names: string[] | null
  verdict: Verdict | null
  justification: Justification | null
  decision_id: string | null
  comment: string | null
  impact: string | null
  action: string | null
  at: Date | null
}

/** Each open finding with the components of its version's active SBOM that it is about. */
async function selectParts(db: Db, isInScope: RawBuilder<boolean>): Promise<StoredPart[]> {
  const { rows } = await sql<StoredPart>`
    with judged as materialized (
      select f.family_id, f.version_id, f.identity_id, f.group_id, f.verdict, f.verdict_justification as justification,
        f.verdict_decision_id as decision_id, n.comment, t.impact, t.action,
        coalesce(n.decided_at, t.stated_at, f.verdict_since) as at
      from finding f
      left join verdict_decision n on n.id = f.verdict_decision_id
      left join vex_statement t on t.document_id = f.verdict_document_id and t.number = f.verdict_statement
      where ${isInScope}
    ),
    part as materialized (
      select s.version_id, c.identity_id, c.version, c.purl, c.cpe, c.other_names
      from (select distinct family_id, version_id from judged) j
      join sbom s on s.family_id = j.family_id and s.version_id is not distinct from j.version_id and s.active
      cross join ${componentsOfSbom('s')}
      where c.identity_id in (select identity_id from judged)
    )
    select distinct j.group_id, p.version, p.purl, p.cpe, p.other_names, j.verdict, j.justification, j.decision_id, j.comment, j.impact, j.action, j.at
    from judged j
    join part p on p.version_id is not distinct from j.version_id and p.identity_id = j.identity_id
    order by j.group_id, p.purl, p.cpe, p.version, p.other_names`.execute(db)
  return rows
}

/** A member's comment is the impact statement if not affected, and the action statement if affected. */
function judgementOf(part: StoredPart): Judgement | null {
  const { verdict, justification, at } = part
  if (verdict === null || at === null) return null
  if (part.decision_id === null) {
    return { verdict, justification, impact: part.impact, action: part.action, at }
  }
  const comment = part.comment === '' ? null : part.comment
  const isAffected = verdict === 'affected'
  return {
    verdict,
    justification,
    impact: isAffected ? null : comment,
    action: isAffected ? comment : null,
    at,
  }
}

const writtenNames = 100

/** The CVEs first, the title before others, then every public alias. */
async function selectNames(db: Db, isInScope: RawBuilder<boolean>): Promise<GroupNames> {
  const { rows } = await sql<{ group_id: number; names: string[] }>`
    with ${namesOfGroups(sql`select distinct f.group_id from finding f where ${isInScope}`)}
    select n.group_id, array_agg(n.id order by n.id not like 'CVE-%', n.id <> g.title_id, n.id) as names
    from group_name n
    join vulnerability_group g on g.id = n.group_id
    where n.id !~ ${internalId}
    group by n.group_id`.execute(db)
  return new Map(rows.map((row) => [row.group_id, row.names.slice(0, writtenNames)]))
}

type StatedMain = { purl?: string | null; cpe?: string | null; version?: string | null } | null

/**
 * The purl or CPE of the main component of the active SBOM; of several versions what their purls share. Else an id of ours, which no
 * other tool compares with anything.
 */
async function selectProductIdentifiers(
  db: Db,
  { workspaceId, familyId }: ExportScope,
  versionId: string | null,
): Promise<Identifiers & { id?: string }> {
  const { rows } = await sql<{ main: StatedMain }>`
    select s.main_component as main
    from sbom s
    where s.workspace_id = ${workspaceId} and s.family_id = ${familyId} and s.active
      and ${versionId === null ? sql`true` : sql`s.version_id = ${versionId}`}
    order by s.received_at desc, s.id desc`.execute(db)
  const own = { id: `urn:uuid:${versionId ?? familyId}` }
  const mains = rows.map(({ main }) => identifiersOfMain(main))
  const [first] = mains
  if (first === undefined || mains.some((main) => main === null) || first === null) return own
  if (new Set(mains.map((main) => JSON.stringify(main))).size === 1) return first
  const packages = new Set(mains.map((main) => (main?.purl === undefined ? null : withoutVersion(main.purl))))
  const [shared] = packages
  return packages.size === 1 && shared !== null && shared !== undefined ? { purl: shared } : own
}

function identifiersOfMain(main: StatedMain): Identifiers | null {
  const { purl = null, cpe = null, version = null } = main ?? {}
  if (purl !== null && parsePurl(purl) !== undefined) return { purl: writtenPurl(withVersion(purl, version)) }
  return cpe !== null && parseCpe(cpe) !== undefined ? { cpe: writtenCpe(cpe) } : null
}
