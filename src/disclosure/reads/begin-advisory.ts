import { sql } from 'kysely'
import { emptyContent } from '../../contract/advisories/empty-content.ts'
import {
  advisoryLimits,
  type AdvisoryBeginning,
  type AdvisoryContent,
  type DraftProduct,
} from '../../contract/advisories/shapes.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { IncidentKind } from '../../contract/incidents/words.ts'
import type { Db } from '../../database/connection.ts'
import { readNumber } from '../inbox/lock-report.ts'
import { openedReport } from '../credited-names.ts'
import type { Sealing } from '../../platform/sealing/sealing.ts'
import { selectMeasures, withMeasures } from '../../advisories/reads/incident-measures.ts'
import { systemOf } from '../../advisories/reads/id-system.ts'
import { cut, prefillAdvisory } from '../../advisories/reads/prefill-advisory.ts'

const maxLinks = 20

type Incident = {
  id: string
  title: string
  vulnKey: string | null
  kind: IncidentKind
}

/** A draft on an incident, with what is known of it and the credit that its reporters agreed to. Codes: `not_found`. */
export async function beginFromIncident(
  db: Db,
  { workspaceId, incidentId, sealing }: { workspaceId: string; incidentId: string; sealing: Sealing },
): Promise<AdvisoryBeginning> {
  const incident = await db
    .selectFrom('incident')
    .select(['id', 'title', 'vuln_key as vulnKey', 'kind'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', incidentId)
    .executeTakeFirst()
  if (incident === undefined) throw new ServiceError('not_found')
  const reports = await db
    .selectFrom('inbox_report_incident as l')
    .innerJoin('inbox_report as r', 'r.id', 'l.report_id')
    .select(creditColumns)
    .where('l.workspace_id', '=', workspaceId)
    .where('l.incident_id', '=', incidentId)
    .orderBy('l.linked_at')
    .limit(maxLinks - 1)
    .execute()
  const content = await contentOf(db, workspaceId, incident)
  return {
    content: { ...content, acknowledgments: await creditsOf(db, { workspaceId, reports, sealing }) },
    links: [
      { kind: 'incident', objectId: incidentId },
      ...reports.map(({ id }) => ({ kind: 'inbox_report' as const, objectId: id })),
    ],
  }
}

/** A draft with the credit a reporter agreed to, linked with the report and its incidents. Never what was reported. Codes: `not_found`. */
export async function beginFromReport(
  db: Db,
  { workspaceId, number, sealing }: { workspaceId: string; number: string; sealing: Sealing },
): Promise<AdvisoryBeginning> {
  const report = await db
    .selectFrom('inbox_report as r')
    .select(creditColumns)
    .where('r.workspace_id', '=', workspaceId)
    .where('r.number', '=', readNumber(number))
    .executeTakeFirst()
  if (report === undefined) throw new ServiceError('not_found')
  const incidents = await db
    .selectFrom('inbox_report_incident')
    .select('incident_id as id')
    .where('workspace_id', '=', workspaceId)
    .where('report_id', '=', report.id)
    .orderBy('linked_at')
    .limit(maxLinks - 1)
    .execute()
  const acknowledgments = await creditsOf(db, { workspaceId, reports: [report], sealing })
  return {
    content: { ...emptyContent, acknowledgments },
    links: [
      { kind: 'inbox_report', objectId: report.id },
      ...incidents.map(({ id }) => ({ kind: 'incident' as const, objectId: id })),
    ],
  }
}

async function contentOf(db: Db, workspaceId: string, incident: Incident): Promise<AdvisoryContent> {
  const products = await selectVersions(db, workspaceId, incident.id)
  const known = await knownOf(db, { workspaceId, incident, products })
  const measures = await selectMeasures(db, { workspaceId, incidentId: incident.id })
  return withMeasures(known, measures, new Set(products.map(({ familyId }) => familyId)))
}

type IncidentProducts = { workspaceId: string; incident: Incident; products: readonly DraftProduct[] }

/** What is stored of the vulnerability, and the versions of the incident's families without any of it, which are still being looked at. */
async function knownOf(
  db: Db,
  { workspaceId, incident: { title, vulnKey, kind }, products }: IncidentProducts,
): Promise<AdvisoryContent> {
  if (vulnKey !== null) {
    const known = await prefillAdvisory(db, workspaceId, vulnKey).catch((error: unknown) => {
      if (error instanceof ServiceError && error.code === 'not_found') return undefined
      throw error
    })
    if (known !== undefined) return withOthers(known, products)
  }
  const cve = vulnKey?.startsWith('CVE-') === true ? vulnKey : ''
  const vulnerability = {
    cve,
    ids: vulnKey === null || cve !== '' ? [] : [{ system: systemOf(vulnKey), text: vulnKey }],
    title: '',
    description: '',
    remediations: [],
    exploits: [],
    references: [],
    statuses: undecided(products),
  }
  const vulnerabilities = kind === 'vulnerability' ? [vulnerability] : []
  return {
    ...emptyContent,
    title: cut(title, advisoryLimits.lineCharacters),
    products: [...products],
    vulnerabilities,
  }
}

function withOthers(known: AdvisoryContent, products: readonly DraftProduct[]): AdvisoryContent {
  const named = new Set(known.products.map(({ familyId }) => familyId))
  const others = products
    .filter(({ familyId }) => !named.has(familyId))
    .slice(0, advisoryLimits.products - known.products.length)
  return {
    ...known,
    products: [...known.products, ...others],
    vulnerabilities: known.vulnerabilities.map((one) => ({
      ...one,
      statuses: [...one.statuses, ...undecided(others)],
    })),
  }
}

function undecided(products: readonly DraftProduct[]) {
  return products.map(({ versionId }) => ({
    versionId,
    status: 'under_investigation' as const,
    justification: null,
    impact: '',
  }))
}

async function selectVersions(db: Db, workspaceId: string, incidentId: string): Promise<DraftProduct[]> {
  const { rows } = await sql<DraftProduct>`
    select v.id as "versionId", f.id as "familyId", f.name as family, v.name as version
    from incident_family i
    join family f on f.id = i.family_id and f.archived_at is null and f.deleted_at is null
    join product_version v on v.family_id = f.id and v.retired_at is null
    where i.workspace_id = ${workspaceId} and i.incident_id = ${incidentId}
    order by lower(f.name), f.id, v.created_at desc, v.id
    limit ${advisoryLimits.products}`.execute(db)
  return rows
}

const creditColumns = ['r.id', 'r.credit_consent', 'r.text_sealed'] as const
type Credited = { id: string; credit_consent: boolean; text_sealed: Buffer | null }
type Thanks = AdvisoryContent['acknowledgments']

/** Of reporters who agreed to be named: as the page of acknowledgments shows them, else in the words they gave for it. */
async function creditsOf(
  db: Db,
  { workspaceId, reports, sealing }: { workspaceId: string; reports: readonly Credited[]; sealing: Sealing },
): Promise<Thanks> {
  const agreed = reports.filter(({ credit_consent: consent }) => consent)
  if (agreed.length === 0) return []
  const shown = await db
    .selectFrom('acknowledgment')
    .select(['report_id', 'name', 'link'])
    .where('workspace_id', '=', workspaceId)
    .where(
      'report_id',
      'in',
      agreed.map(({ id }) => id),
    )
    .execute()
  return agreed.flatMap(({ id, text_sealed: sealed }): Thanks => {
    const credit = shown.find((one) => one.report_id === id)
    if (credit !== undefined) return [thanks(credit.name, '', credit.link ?? '')]
    const text = openedReport(sealing, { workspaceId, id }, sealed)
    if (text === null || (text.creditName === '' && text.creditOrganisation === '')) return []
    return [thanks(text.creditName, text.creditOrganisation, text.creditLink)]
  })
}

function thanks(name: string, organization: string, link: string): Thanks[number] {
  const line = (text: string) => cut(text, advisoryLimits.lineCharacters)
  return {
    names: name === '' ? [] : [line(name)],
    organization: line(organization),
    summary: '',
    urls: link === '' ? [] : [link],
  }
}
