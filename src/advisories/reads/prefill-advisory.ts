import { sql } from 'kysely'
import {
  advisoryLimits,
  advisorySeverities,
  type AdvisoryContent,
  type DraftProduct,
  type DraftVulnerability,
} from '../../contract/advisories/shapes.ts'
import { verdicts, type Justification, type Verdict } from '../../contract/vex/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Db } from '../../database/connection.ts'
import { disputedWords } from '../../formats/vex/justification-words.ts'
import {
  summarizeVulnerability,
  type VulnerabilitySummary,
} from '../../vulnerabilities/describe-vulnerability.ts'
import { precedenceOf } from '../../vulndata/store/severity-precedence.ts'
import { findVulnerability, type NamedVulnerability } from '../../findings/reads/find-vulnerability.ts'
import { selectGroupRecords, selectSummary } from '../../vulnerabilities/select-vulnerability.ts'
import { systemOf } from './id-system.ts'
import { knownReferences } from './known-references.ts'
import { knownScores, knownSince, knownWeakness, type KnownRecord } from './known-severity.ts'

/**
 * A draft on one vulnerability, filled with what is known: the product versions with findings of it, the verdicts in force, exploitation,
 * severity, weakness and references. It claims no more than that: undecided versions are under investigation. Codes: `not_found`.
 */
export async function prefillAdvisory(db: Db, workspaceId: string, id: string): Promise<AdvisoryContent> {
  const named = await findVulnerability(db, id)
  if (named === undefined) throw new ServiceError('not_found')
  const detail = await summarizeVulnerability(db, named)
  const groupIds = named.groups.map((group) => group.id)
  const records = await selectKnown(db, named)
  const found = await selectJudged(db, workspaceId, groupIds)
  const versions = [...Map.groupBy(found, ({ versionId }) => versionId).values()].slice(
    0,
    advisoryLimits.products,
  )
  return {
    title: cut(`${detail.id} in ${familyNames(versions.flat())}`, advisoryLimits.lineCharacters),
    summary: '',
    tlp: 'WHITE',
    products: versions.flatMap(([row]) => (row === undefined ? [] : [toProduct(row)])),
    vulnerabilities: [draftVulnerability(detail, { versions, records })],
    references: [],
    acknowledgments: [],
    severity: advisorySeverities.find((one) => one === detail.severity) ?? null,
  }
}

/** The live records that are it or about it alone, the one with precedence for the severity first. */
async function selectKnown(db: Db, named: NamedVulnerability): Promise<KnownRecord[]> {
  const { severity_source: source } = await selectSummary(db, named)
  const relations = new Map(named.groups.map(({ id, relation }) => [id, relation]))
  const { records } = await selectGroupRecords(db, named)
  return records
    .filter(({ group_id: id, withdrawn_at: at }) => at === null && relations.get(id) !== 'names')
    .toSorted((a, b) => rankOf(a.record_id, source) - rankOf(b.record_id, source))
    .map(({ record_id: recordId, vector, published_at: publishedAt, document }) => {
      return { recordId, vector, publishedAt, document: JSON.parse(document) as unknown }
    })
}

function rankOf(recordId: string, source: string | null): number {
  return recordId === source ? -1 : precedenceOf(recordId)
}

type Judged = DraftProduct & {
  verdict: Verdict | null
  justification: Justification | null
  /** The word of the document that the verdict is from. */
  rawJustification: string | null
  impact: string | null
  action: string | null
}

/** Open findings of the vulnerability with the verdict in force and its words. Index finding_of_group. */
async function selectJudged(db: Db, workspaceId: string, groupIds: readonly number[]): Promise<Judged[]> {
  const { rows } = await sql<Judged>`
    select f.version_id as "versionId", f.family_id as "familyId", y.name as family, p.name as version, f.verdict,
      f.verdict_justification as justification, t.raw_justification as "rawJustification",
      coalesce(case when f.verdict <> 'affected' then nullif(n.comment, '') end, t.impact) as impact,
      coalesce(case when f.verdict = 'affected' then nullif(n.comment, '') end, t.action) as action
    from finding f
    join family y on y.id = f.family_id and y.archived_at is null and y.deleted_at is null
    join product_version p on p.id = f.version_id and p.retired_at is null
    left join verdict_decision n on n.id = f.verdict_decision_id
    left join vex_statement t on t.document_id = f.verdict_document_id and t.number = f.verdict_statement
    where f.group_id = any(${groupIds}::bigint[]) and f.workspace_id = ${workspaceId} and f.closed_at is null
    order by lower(y.name), y.id, p.created_at desc, p.id, f.id`.execute(db)
  return rows
}

function toProduct({ versionId, familyId, family, version }: Judged): DraftProduct {
  return { versionId, familyId, family, version }
}

function familyNames(rows: readonly Judged[]): string {
  const names = [...new Set(rows.map(({ family }) => family))]
  return names.length === 0 ? 'our products' : names.join(', ')
}

type Known = { versions: readonly Judged[][]; records: readonly KnownRecord[] }

function draftVulnerability(detail: VulnerabilitySummary, { versions, records }: Known): DraftVulnerability {
  const names = [detail.id, ...detail.aliases]
  const cve = names.find((name) => /^CVE-\d{4}-\d{4,}$/.test(name)) ?? ''
  const exploits = exploitsOf(detail)
  const statuses = versions.flatMap((rows) => {
    const worst = mostCautious(rows)
    return worst === undefined ? [] : [statusOf(worst)]
  })
  return {
    cve,
    ids: idsOf(detail.id, names, cve).map((text) => ({ system: systemOf(text), text })),
    title: cut(detail.summary, advisoryLimits.lineCharacters),
    description: cut(detail.summary, advisoryLimits.textCharacters),
    statuses,
    remediations: remediationsOf(versions),
    exploits,
    references: knownReferences(records, {
      cve,
      isListed: exploits.some(({ catalogue }) => catalogue === 'kev'),
    }),
    scores: knownScores(records),
    cwe: knownWeakness(records),
    discoveredOn: '',
    disclosedOn: knownSince(records),
    acknowledgments: [],
  }
}

/** Ids that readers look up; a vulnerability without a CVE or one of them keeps its id here. */
function idsOf(id: string, names: readonly string[], cve: string): string[] {
  const known = names.filter((name) => /^(GHSA|EUVD)-/.test(name)).slice(0, advisoryLimits.entries)
  return known.length === 0 && cve === '' ? [id] : known
}

/** Of several components of a version the most cautious verdict counts; no verdict means under investigation. */
function mostCautious(rows: readonly Judged[]): Judged | undefined {
  const rank = ({ verdict }: Judged) => verdicts.indexOf(verdict ?? 'under_investigation')
  return rows.toSorted((a, b) => rank(a) - rank(b))[0]
}

function statusOf({
  versionId,
  verdict,
  justification,
  rawJustification,
  impact,
}: Judged): DraftVulnerability['statuses'][number] {
  const isCleared = verdict === 'not_affected'
  const isDisputed = rawJustification !== null && disputedWords.has(rawJustification)
  return {
    versionId,
    status: verdict ?? 'under_investigation',
    justification: isCleared && !isDisputed ? justification : null,
    impact: isCleared ? cut(impact ?? '', advisoryLimits.textCharacters) : '',
  }
}

/** What was said users can do, once for all versions with the same words. */
function remediationsOf(versions: readonly Judged[][]): DraftVulnerability['remediations'] {
  const affected = versions
    .flatMap((rows) => mostCautious(rows) ?? [])
    .filter((row) => row.verdict === 'affected')
  return [...Map.groupBy(affected, ({ action }) => action ?? '')].map(([details, rows]) => ({
    category: details === '' ? 'none_available' : 'mitigation',
    details: details === '' ? 'A fix is not available yet.' : cut(details, advisoryLimits.textCharacters),
    url: '',
    versionIds: rows.map(({ versionId }) => versionId),
  }))
}

/** Catalogues that list it directly and still do; the European lists may give no day. */
function exploitsOf({ exploited }: VulnerabilitySummary): DraftVulnerability['exploits'] {
  const listed = exploited.filter(({ direct, removedAt }) => direct && removedAt === null)
  const entries = listed.map(({ catalogue, listedOn, firstSeenAt }) => ({
    catalogue,
    listedOn: (listedOn ?? firstSeenAt).slice(0, 10),
  }))
  return [...Map.groupBy(entries, ({ catalogue }) => catalogue).values()].flatMap(([first]) => first ?? [])
}

/** Without controls, which a source's text may have, and not longer than the field. */
export function cut(text: string, limit: number): string {
  const clean = text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')
  return clean.length <= limit ? clean : [...clean].slice(0, limit).join('')
}
