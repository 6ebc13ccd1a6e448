import { sql } from 'kysely'
import {
  advisoryLimits,
  type AdvisoryContent,
  type DraftProduct,
  type DraftVulnerability,
} from '../../contract/advisories.ts'
import { verdicts, type Justification, type Verdict } from '../../contract/vex.ts'
import type { VulnerabilityDetail } from '../../contract/vulnerability.ts'
import type { Db } from '../../database/connection.ts'
import { disputedWords } from '../../formats/vex/justification-words.ts'
import { describeVulnerability } from '../vulnerabilities/describe-vulnerability.ts'
import { findVulnerability } from '../vulnerabilities/find-vulnerability.ts'

const mostReferences = 10

/**
 * A draft on one vulnerability, begun with what is known: the product versions that have findings of it, the verdicts in force, exploitation
 * and references. It says no more than that: what is not decided is under investigation. Codes: `not_found`.
 */
export async function prefillAdvisory(db: Db, workspaceId: string, id: string): Promise<AdvisoryContent> {
  const detail = await describeVulnerability(db, workspaceId, id)
  const named = await findVulnerability(db, id)
  const groupIds = (named?.groups ?? []).map((group) => group.id)
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
    vulnerabilities: [draftVulnerability(detail, versions)],
    references: [],
    acknowledgments: [],
  }
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

function draftVulnerability(detail: VulnerabilityDetail, versions: readonly Judged[][]): DraftVulnerability {
  const names = [detail.id, ...detail.aliases]
  const cve = names.find((name) => /^CVE-\d{4}-\d{4,}$/.test(name)) ?? ''
  const others = names.filter((name) => !/^CVE-/i.test(name)).slice(0, advisoryLimits.entries)
  const statuses = versions.flatMap((rows) => {
    const worst = mostCautious(rows)
    return worst === undefined ? [] : [statusOf(worst)]
  })
  return {
    cve,
    ids: others.map((text) => ({ system: systemOf(text), text })),
    title: cut(detail.summary, advisoryLimits.lineCharacters),
    description: cut(detail.summary, advisoryLimits.textCharacters),
    statuses,
    remediations: remediationsOf(versions),
    exploits: exploitsOf(detail),
    references: referencesOf(detail),
  }
}

/** Of several components of a version the most cautious word counts; nothing said is still being looked at. */
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
function exploitsOf({ exploited }: VulnerabilityDetail): DraftVulnerability['exploits'] {
  const listed = exploited.filter(({ direct, removedAt }) => direct && removedAt === null)
  const entries = listed.map(({ catalogue, listedOn, firstSeenAt }) => ({
    catalogue,
    listedOn: (listedOn ?? firstSeenAt).slice(0, 10),
  }))
  return [...Map.groupBy(entries, ({ catalogue }) => catalogue).values()].flatMap(([first]) => first ?? [])
}

function referencesOf({ records }: VulnerabilityDetail): DraftVulnerability['references'] {
  const urls = records.filter(({ isWithdrawn }) => !isWithdrawn).flatMap(({ references }) => references)
  const known = [...new Set(urls.map(({ url }) => url))].filter((url) => /^https?:\/\//.test(url))
  const short = known.filter((url) => url.length <= advisoryLimits.lineCharacters)
  return short.slice(0, mostReferences).map((url) => ({ summary: URL.parse(url)?.hostname ?? url, url }))
}

function systemOf(id: string): string {
  if (id.startsWith('GHSA-')) return 'GitHub Security Advisory'
  return id.startsWith('EUVD-') ? 'European Vulnerability Database' : 'Vulnerability ID'
}

/** Without controls, which a source's text may have, and not longer than the field. */
export function cut(text: string, limit: number): string {
  const clean = text.toWellFormed().replaceAll(/(?![\t\n\r])\p{Cc}/gu, '')
  return clean.length <= limit ? clean : [...clean].slice(0, limit).join('')
}
