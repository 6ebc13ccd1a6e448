import { incidentLimits } from '../../contract/incidents/limits.ts'
import type { SubmissionKind } from '../../contract/incidents/words.ts'
import { InputReader } from '../../platform/input-reader.ts'
import { earliestFiling, type ReportFacts } from '../reports/wanted-reports.ts'
import type { KeptDraft } from './draft-of-submission.ts'
import type { Report } from './select-report.ts'

export type NewSubmission = {
  kind: SubmissionKind
  submittedAt: string
  channel: string
  authority?: string
  reference?: string
  /** Why it is late. */
  delayReason?: string
  /** Ids of other reports of the regime that were filed with it. */
  alsoCovers?: string[]
  /** The drafts on the page of the person who files, saved or not, by the id of the report. */
  texts?: Readonly<Record<string, unknown>>
}

/** What was filed, as it is stored. */
export type Filing = {
  /** The report it is recorded on, and those it covers too. */
  reports: Report[]
  kind: SubmissionKind
  submittedAt: Date
  channel: string
  authority: string | null
  reference: string | null
  delayReason: string | null
}

type Given = {
  given: NewSubmission
  report: Report
  reports: readonly Report[]
  facts: ReportFacts
  drafts: ReadonlyMap<string, KeptDraft>
  now: Date
}

/** Codes: `invalid_request` with every field that is wrong. */
export function readSubmission({ given, report, reports, facts, drafts, now }: Given): Filing {
  const input = new InputReader()
  const isUpdatable = report.regime === 'dora' && report.report === 'intermediate_report'
  if (given.kind === 'update' && !isUpdatable)
    input.refuse('kind', 'Only the intermediate report of DORA is updated.')
  const covered = readCovered(input, { given, report, reports })
  const submittedAt = readTime(input, { given, report, covered, facts, now })
  const filing = {
    reports: [report, ...covered],
    kind: given.kind,
    submittedAt,
    channel: input.line('channel', given.channel, incidentLimits.channelCharacters),
    authority: input.optionalLine('authority', given.authority, incidentLimits.nameCharacters),
    reference: input.optionalLine('reference', given.reference, incidentLimits.nameCharacters),
  }
  const delayReason = readDelayReason(input, { given, filing, drafts })
  input.finish()
  return { ...filing, delayReason }
}

function readCovered(
  input: InputReader,
  { given, report, reports }: Pick<Given, 'given' | 'report' | 'reports'>,
): Report[] {
  const ids = [...new Set(given.alsoCovers ?? [])]
  if (ids.length > 0 && given.kind !== 'submission')
    input.refuse('alsoCovers', 'Only a first submission covers other reports.')
  return ids.flatMap((id) => {
    const other = reports.find((one) => one.id === id)
    const isOfSame = other?.regime === report.regime && other.cycle === report.cycle && other.id !== report.id
    if (!isOfSame) {
      input.refuse('alsoCovers', 'It names something that is not another report of this regime.')
      return []
    }
    if (other.state === 'submitted') input.refuse('alsoCovers', 'One of these reports is already submitted.')
    return [other]
  })
}

function readTime(
  input: InputReader,
  {
    given,
    report,
    covered,
    facts,
    now,
  }: Pick<Given, 'given' | 'report' | 'facts' | 'now'> & { covered: Report[] },
): Date {
  if (given.kind !== 'submission') {
    const at = report.submitted_at ?? facts.awareAt
    return input.time('submittedAt', given.submittedAt, { now, notBefore: { at, what: 'the submission' } })
  }
  const bounds = [report, ...covered].flatMap((one) => earliestFiling(facts, one) ?? [])
  const [latest] = bounds.toSorted((one, other) => other.at.getTime() - one.at.getTime())
  return input.time('submittedAt', given.submittedAt, {
    now,
    ...(latest === undefined ? {} : { notBefore: latest }),
  })
}

/** Required for a late report; the draft may already contain it, where the authority's form asks for it. */
function readDelayReason(
  input: InputReader,
  { given, filing, drafts }: Pick<Given, 'given' | 'drafts'> & { filing: Omit<Filing, 'delayReason'> },
): string | null {
  const { kind, reports, submittedAt } = filing
  const isLate = kind === 'submission' && reports.some(({ due_at: due }) => due !== null && submittedAt > due)
  const typed = input.text('delayReason', given.delayReason ?? '', {
    min: 0,
    max: incidentLimits.reasonCharacters,
  })
  if (typed !== '' || !isLate) return typed === '' ? null : typed
  const drafted = reports.map(({ id }) => drafts.get(id)?.delayReason ?? '').find((reason) => reason !== '')
  if (drafted !== undefined) return [...drafted].slice(0, incidentLimits.reasonCharacters).join('')
  input.refuse('delayReason', 'It was submitted after it was due: give the reasons for the delay.')
  return null
}
