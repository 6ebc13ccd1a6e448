import type { IncidentDetail, ReportSummary } from '#contract/incidents/shapes.ts'
import type { SameReport } from '#contract/incidents/waiting.ts'
import { addReceipt, recordSubmission, recordSubmissions } from '#contract/incidents/report-operations.ts'
import type { BodyOf } from '#contract/operation.ts'
import { call } from '../../kit/api/call.ts'
import { sendFile } from '../../kit/api/send-file.ts'
import type { Outcome } from './BulkOutcome.tsx'

/** A submission, without the other reports that it covers. */
export type Filing = Omit<BodyOf<typeof recordSubmission>, 'alsoCovers'>

type Filed = { incident: IncidentDetail; report: ReportSummary; others: readonly SameReport[] }

type How = {
  slug: string
  /** Ids of other reports of the incident. */
  alsoCovers: readonly string[]
  receipt: File | null
}

/**
 * Records a submission on the report of an incident, and on the same report of the other incidents it covers. Returns an outcome if there
 * are others, or if the receipt could not be stored: the submission is recorded then, and must not be sent again.
 */
export async function fileReport(filed: Filed, body: Filing, how: How): Promise<Outcome | undefined> {
  if (filed.others.length > 0) return fileForSeveral(filed, body, how)
  const { slug, alsoCovers, receipt } = how
  const params = { slug, incident: filed.incident.id, report: filed.report.id }
  const covered = alsoCovers.length === 0 ? {} : { alsoCovers: [...alsoCovers] }
  const { id } = await call(recordSubmission, { params, body: { ...body, ...covered } })
  const { incident } = filed
  const withoutReceipt = await sendReceipts({ slug, receipt, names: [incident] }, [
    { incident: incident.id, id },
  ])
  if (withoutReceipt.length === 0) return undefined
  return { done: [incident.id], refused: [], references: [incident.reference], withoutReceipt }
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
      ...body,
      regime: report.regime,
      report: report.report,
      ...(stages.length === 0 ? {} : { alsoCovers: stages }),
      incidents: [incident.id, ...others.map((other) => other.incident.id)],
    },
  })
  const names = [incident, ...others.map((other) => other.incident)]
  const withoutReceipt = await sendReceipts({ slug, receipt, names }, submissions)
  const references = names.filter(({ id }) => done.includes(id)).map(({ reference }) => reference)
  return { done, refused, references, withoutReceipt }
}

type Receipts = {
  slug: string
  receipt: File | null
  names: readonly Pick<Outcome['refused'][number], 'id' | 'reference'>[]
}

/** Returns the incidents whose receipt could not be stored, and why. */
async function sendReceipts(
  { slug, receipt, names }: Receipts,
  submissions: readonly { incident: string; id: string }[],
): Promise<Outcome['refused']> {
  const without: Outcome['refused'] = []
  if (receipt === null) return without
  for (const { incident, id: submission } of submissions) {
    const reference = names.find(({ id }) => id === incident)?.reference
    try {
      await sendReceipt({ slug, incident, submission }, receipt)
    } catch (error) {
      if (!(error instanceof Error) || reference === undefined) throw error
      without.push({ id: incident, reference, reason: error.message })
    }
  }
  return without
}

/** Uploads the receipt of a recorded submission. */
export async function sendReceipt(
  params: { slug: string; incident: string; submission: string },
  file: File,
): Promise<void> {
  await sendFile(addReceipt, { params, query: { name: file.name } }, { file, onProgress: () => undefined })
}
