import type { IncidentDetail, ReportSummary } from '#contract/incidents/shapes.ts'
import type { SameReport } from '#contract/incidents/waiting.ts'
import { addReceipt, recordSubmission, recordSubmissions } from '#contract/incidents/report-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { call } from '../../kit/api/call.ts'
import { sendFile } from '../../kit/api/send-file.ts'
import type { Outcome } from './BulkOutcome.tsx'

/** What was filed, without the other reports that it covers. */
export type Filing = Omit<BodyOf<typeof recordSubmission>, 'alsoCovers'>

type Filed = { incident: IncidentDetail; report: ReportSummary; others: readonly SameReport[] }

type How = {
  slug: string
  /** Ids of other reports of the incident. */
  alsoCovers: readonly string[]
  receipt: File | null
}

/**
 * Records a filing on the report of an incident, and on the same report of the others that it was made for. Answers what became of it where there
 * are others.
 */
export async function fileReport(filed: Filed, body: Filing, how: How): Promise<Outcome | undefined> {
  if (filed.others.length > 0) return fileForSeveral(filed, body, how)
  const { slug, alsoCovers, receipt } = how
  const params = { slug, incident: filed.incident.id, report: filed.report.id }
  const covered = alsoCovers.length === 0 ? {} : { alsoCovers: [...alsoCovers] }
  const { id } = await call(recordSubmission, { params, body: { ...body, ...covered } })
  if (receipt !== null) await sendReceipt({ slug, incident: filed.incident.id, submission: id }, receipt)
  return undefined
}

async function fileForSeveral(
  { incident, report, others }: Filed,
  body: Filing,
  { slug, alsoCovers, receipt }: How,
): Promise<Outcome> {
  const stages = incident.reports.filter(({ id }) => alsoCovers.includes(id)).map((one) => one.report)
  const { done, refused, submissions } = await call(recordSubmissions, {
    params: { slug },
    body: {
      ...{ ...body, regime: report.regime, report: report.report },
      ...(stages.length === 0 ? {} : { alsoCovers: stages }),
      incidents: [incident.id, ...others.map((other) => other.incident.id)],
    },
  })
  const names = [incident, ...others.map((other) => other.incident)]
  const withoutReceipt: Outcome['refused'] = []
  for (const { incident: id, id: submission } of receipt === null ? [] : submissions) {
    const reference = names.find((one) => one.id === id)?.reference
    try {
      if (receipt !== null) await sendReceipt({ slug, incident: id, submission }, receipt)
    } catch (error) {
      if (!(error instanceof Error) || reference === undefined) throw error
      withoutReceipt.push({ id, reference, reason: error.message })
    }
  }
  const references = names.filter(({ id }) => done.includes(id)).map(({ reference }) => reference)
  return { done, refused, references, withoutReceipt }
}

async function sendReceipt(
  params: { slug: string; incident: string; submission: string },
  file: File,
): Promise<void> {
  await sendFile(addReceipt, { params, query: { name: file.name } }, { file, onProgress: () => undefined })
}
