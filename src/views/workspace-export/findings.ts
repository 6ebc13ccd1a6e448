import { sql } from 'kysely'
import type { Catalogue, Grade } from '../../contract/findings/shapes.ts'
import type { Severity } from '../../contract/sbom/shapes.ts'
import type { Justification, Verdict } from '../../contract/vex/shapes.ts'
import type { Tx } from '../../database/connection.ts'
import { shownTitle } from '../../findings/shown-title.ts'
import { findingSeverity, ownSeverity } from '../../findings/own-severity.ts'
import { chunksOf, uuidList } from '../../platform/postgres/columns.ts'
import { idsOf, listFiles, rowsAtOnce, type ExportFile } from './export-file.ts'
import type { FamilyRow } from './families.ts'

/** Findings, closed ones too, and the verdicts of members, those that ended too. */
export async function* findingFiles(tx: Tx, families: readonly FamilyRow[]): AsyncGenerator<ExportFile> {
  yield* listFiles('findings', findingPages(tx, families))
  yield* listFiles('decisions', decisionPages(tx, families))
}

type Slot = { workspaceId: string; familyId: string; versionId: string | null }

/** Version by version: each is a part of the index finding_subject, in its order. */
async function* findingPages(tx: Tx, families: readonly FamilyRow[]) {
  for (const { id: familyId, workspaceId, versions } of families) {
    for (const versionId of [null, ...versions.map(({ id }) => id)]) {
      let after: FindingRow | undefined
      do {
        const rows = await selectFindings(tx, { workspaceId, familyId, versionId }, after)
        const components = await selectComponents(tx, familyId, rows)
        yield rows.map(({ id, groupId: _group, identityId, ...row }) => ({
          id,
          familyId,
          versionId,
          component: components.get(identityId) ?? null,
          ...row,
        }))
        after = rows.length < rowsAtOnce ? undefined : rows.at(-1)
      } while (after !== undefined)
    }
  }
}

type FindingRow = {
  id: string
  identityId: string
  groupId: number
  vulnerability: string
  summary: string
  severity: Severity
  score: number | null
  package: string | null
  packageVersion: string
  grade: Grade
  exploitedBy: Catalogue[]
  firstSeenAt: Date
  closedAt: Date | null
  verdict: Verdict | null
  justification: Justification | null
  decisionId: string | null
  vexDocumentId: string | null
  vexStatement: number | null
  verdictSince: Date | null
  firstVerdictAt: Date | null
}

async function selectFindings(
  tx: Tx,
  { workspaceId, familyId, versionId }: Slot,
  after: FindingRow | undefined,
): Promise<FindingRow[]> {
  const ofVersion = versionId === null ? sql`f.version_id is null` : sql`f.version_id = ${versionId}`
  const follows =
    after === undefined
      ? sql`true`
      : sql`(f.identity_id, f.group_id) > (${after.identityId}::uuid, ${after.groupId}::bigint)`
  const { rows } = await sql<FindingRow>`
    select f.id, f.identity_id as "identityId", f.group_id as "groupId", ${shownTitle('g.title_id')} as vulnerability, g.summary,
      ${findingSeverity.severity} as severity, ${findingSeverity.score} as score, i.package_key as package,
      i.version as "packageVersion", f.grade, f.exploited_by as "exploitedBy", f.first_seen_at as "firstSeenAt",
      f.closed_at as "closedAt", f.verdict, f.verdict_justification as justification,
      f.verdict_decision_id as "decisionId", f.verdict_document_id as "vexDocumentId",
      f.verdict_statement as "vexStatement", f.verdict_since as "verdictSince", f.first_verdict_at as "firstVerdictAt"
    from (
      select * from finding f
      where f.workspace_id = ${workspaceId} and f.family_id = ${familyId} and ${ofVersion} and ${follows}
      order by f.version_id, f.identity_id, f.group_id
      limit ${rowsAtOnce}
    ) f
    join vulnerability_group g on g.id = f.group_id
    join component_identity i on i.id = f.identity_id
    left join ${ownSeverity(sql.ref('f.identity_id'))}
    order by f.identity_id, f.group_id`.execute(tx)
  return rows
}

/** As the SBOMs of the family name them; one of those that are the same to matching. */
async function selectComponents(tx: Tx, familyId: string, findings: readonly FindingRow[]) {
  const ids = [...new Set(findings.map(({ identityId }) => identityId))]
  const rows = await tx
    .selectFrom('component')
    .distinctOn('identity_id')
    .select(['identity_id', 'group_name as group', 'name', 'version', 'purl'])
    .where('family_id', '=', familyId)
    .where('identity_id', '=', sql<string>`any(${uuidList(ids)})`)
    .orderBy('identity_id')
    .orderBy('number', 'desc')
    .execute()
  return new Map(rows.map(({ identity_id: id, ...component }) => [id, component]))
}

async function* decisionPages(tx: Tx, families: readonly FamilyRow[]) {
  for (const { id: familyId, workspaceId } of families) {
    const ids = await tx
      .selectFrom('verdict_decision')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('family_id', '=', familyId)
      .orderBy('decided_at')
      .orderBy('id')
      .execute()
    for (const some of chunksOf(ids, rowsAtOnce))
      yield await selectDecisions(tx, { workspaceId, familyId }, idsOf(some))
  }
}

function selectDecisions(tx: Tx, { workspaceId, familyId }: Omit<Slot, 'versionId'>, ids: readonly string[]) {
  return tx
    .selectFrom('verdict_decision')
    .select(['id', 'family_id as familyId', 'every_version as everyVersion', 'version_id as versionId'])
    .select(['package_key as package', 'vulnerability_id as vulnerability', 'verdict', 'justification'])
    .select(['comment', 'decided_at as decidedAt', 'decided_by_name as decidedBy', 'expires_at as expiresAt'])
    .select([
      'ended_at as endedAt',
      'ended_by_name as endedBy',
      'replaced_by as replacedBy',
      'batch_id as batchId',
    ])
    .where('workspace_id', '=', workspaceId)
    .where('family_id', '=', familyId)
    .where('id', 'in', ids)
    .orderBy('decided_at')
    .orderBy('id')
    .execute()
}
