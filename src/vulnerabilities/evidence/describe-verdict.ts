import { sql } from 'kysely'
import type { Catalogue, FindingDetail, Grade } from '../../contract/findings/shapes.ts'
import type { BoundStatement, EffectiveVerdict } from '../../contract/findings/verdict.ts'
import type { Justification, Verdict, VexFormat } from '../../contract/vex/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { columnOf } from '../../platform/postgres/columns.ts'
import { BoundStatements } from '../../vex/binding/bind-statements.ts'
import { readComponent } from '../../vex/binding/bind-target.ts'
import { compareClaims, type Claim } from '../../vex/decisions/decide-verdict.ts'
import { selectDecisionHistory } from '../../findings/verdicts/decide-findings.ts'
import { describeOpenings, type OpeningFacts } from '../openings/notice-openings.ts'
import { selectBindingProduct } from '../../findings/verdicts/refresh-verdicts.ts'
import { selectJudgedComponents, selectStatementTargets } from '../../findings/verdicts/verdict-facts.ts'
import type { VersionSlot } from '../../findings/version-slot.ts'

/** Of a finding, as many statements as a page can show. */
const shownStatements = 100
/** Made while somebody waits for the page. */
const maxComparisons = 200_000

type StoredVerdict = {
  workspace_id: string
  family_id: string
  version_id: string | null
  identity_id: string
  group_id: number
  grade: Grade
  exploited_by: Catalogue[]
  verdict: Verdict | null
  verdict_justification: Justification | null
  verdict_decision_id: string | null
  verdict_document_id: string | null
  verdict_statement: number | null
  verdict_since: Date | null
  is_archived: boolean
  is_active: boolean
}

/**
 * What is said of a finding: the verdict in force, every decision of members, every statement that binds to it (at most 100), and
 * whether it opens an incident. Decisions and statements are shown side by side where they differ. Codes: `not_found`.
 */
export async function describeVerdict(
  db: Db,
  { workspaceId, findingId, now }: { workspaceId: string; findingId: string; now: Date },
): Promise<Pick<FindingDetail, 'verdict' | 'decisions' | 'statements' | 'incident'>> {
  const stored = await selectStored(db, workspaceId, findingId)
  const verdict = toEffective(stored)
  const [incident] = await describeOpenings(db, {
    workspaceId,
    findings: [openingFacts(findingId, stored, verdict)],
    ids: null,
    now,
  })
  if (incident === undefined) throw new Error('a finding opens an incident or does not')
  return {
    verdict,
    decisions: await selectDecisionHistory(db, { workspaceId, findingId, now }),
    statements: await selectBoundStatements(db, stored),
    incident,
  }
}

function openingFacts(
  findingId: string,
  stored: StoredVerdict,
  verdict: EffectiveVerdict | null,
): OpeningFacts {
  return {
    findingId,
    groupId: stored.group_id,
    grade: stored.grade,
    exploitedBy: stored.exploited_by,
    isActive: stored.is_active,
    isArchived: stored.is_archived,
    verdict: verdict?.verdict ?? null,
    verdictSource: verdict?.source ?? null,
  }
}

async function selectStored(db: Db, workspaceId: string, findingId: string): Promise<StoredVerdict> {
  const { rows } = await sql<StoredVerdict>`
    select f.workspace_id, f.family_id, f.version_id, f.identity_id, f.group_id, f.grade, f.exploited_by, f.verdict,
      f.verdict_justification, f.verdict_decision_id, f.verdict_document_id, f.verdict_statement, f.verdict_since,
      y.archived_at is not null as is_archived, f.closed_at is null as is_active
    from finding f
    join family y on y.id = f.family_id
    where f.workspace_id = ${workspaceId} and f.id = ${findingId}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new ServiceError('not_found')
  return row
}

function toEffective(stored: StoredVerdict): EffectiveVerdict | null {
  const { verdict, verdict_since: since } = stored
  if (verdict === null || since === null) return null
  return {
    verdict,
    justification: stored.verdict_justification,
    source: stored.verdict_decision_id === null ? 'document' : 'decision',
    decisionId: stored.verdict_decision_id,
    documentId: stored.verdict_document_id,
    statement: stored.verdict_statement,
    since: since.toISOString(),
  }
}

async function selectBoundStatements(db: Db, stored: StoredVerdict): Promise<BoundStatement[]> {
  const slot: VersionSlot = {
    workspaceId: stored.workspace_id,
    familyId: stored.family_id,
    versionId: stored.version_id,
  }
  const targets = await selectStatementTargets(db, slot, [stored.group_id])
  if (targets.length === 0) return []
  const product = await selectBindingProduct(db, slot, targets)
  const statements = new BoundStatements(targets, product, { left: maxComparisons })
  const components = await selectJudgedComponents(db, slot, [stored.identity_id])
  const claims = new Map(
    components
      .flatMap((component) => statements.allFor(readComponent(component)))
      .sort(compareClaims)
      .map((claim) => [`${claim.documentId} ${claim.number}`, claim]),
  )
  return describeStatements(db, stored, [...claims.values()].slice(0, shownStatements))
}

type StoredStatement = {
  place: number
  format: VexFormat
  author: string | null
  source: BoundStatement['source']
  sbom_id: string | null
  raw_status: string | null
  raw_justification: string | null
  impact: string | null
  action: string | null
  responses: string[]
}

async function describeStatements(
  db: Db,
  stored: StoredVerdict,
  claims: readonly Claim[],
): Promise<BoundStatement[]> {
  const { rows } = await sql<StoredStatement>`
    select k.place, d.format, d.author, d.source, d.sbom_id, s.raw_status, s.raw_justification, s.impact, s.action, s.responses
    from unnest(
      ${columnOf(claims, 'uuid', ({ documentId }) => documentId)},
      ${columnOf(claims, 'int', ({ number }) => number)}
    ) with ordinality as k (document_id, number, place)
    join vex_document d on d.id = k.document_id and d.workspace_id = ${stored.workspace_id}
    join vex_statement s on s.document_id = k.document_id and s.number = k.number
    order by k.place`.execute(db)
  return rows.flatMap((row) => {
    const claim = claims[row.place - 1]
    return claim === undefined ? [] : [toBoundStatement(row, claim, stored)]
  })
}

function toBoundStatement(row: StoredStatement, claim: Claim, stored: StoredVerdict): BoundStatement {
  return {
    documentId: claim.documentId,
    number: claim.number,
    format: row.format,
    author: row.author,
    source: row.source,
    sbomId: row.sbom_id,
    everyVersion: !claim.isForVersion,
    wholeProduct: claim.isWholeProduct,
    verdict: claim.verdict,
    justification: claim.justification,
    rawStatus: row.raw_status,
    rawJustification: row.raw_justification,
    impact: row.impact,
    action: row.action,
    responses: row.responses,
    statedAt: claim.statedAt?.toISOString() ?? null,
    receivedAt: claim.receivedAt.toISOString(),
    decides: stored.verdict_document_id === claim.documentId && stored.verdict_statement === claim.number,
  }
}
