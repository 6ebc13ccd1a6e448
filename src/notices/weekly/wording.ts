import type { WeeklyFindings, WeeklyReport } from '../../contract/metrics/weekly-report.ts'
import { stageNames } from '../../contract/incidents/incident-names.ts'
import { describeOutdated, describeStale, outdatedIn } from '../../contract/sbom/data-words.ts'
import { severities } from '../../contract/severities.ts'
import { shownTime, type ShowTime } from '../../contract/shown-time.ts'
import type { Wording } from '../messages/event-wording.ts'

type Facts = Wording['facts']

/** The maximum of outdated sources that are named. */
const maxOutdated = 10

/** A weekly report in words. */
export function weeklyWording(report: WeeklyReport, show: ShowTime = shownTime): Wording {
  return {
    headline: headlineOf(report),
    facts: [
      ...(report.findings === null
        ? ([['Monitoring', 'paused: the workspace is read-only']] as const)
        : findingFacts(report.findings)),
      ...deadlineFacts(report, show),
      ['Incidents', `${report.incidents.opened} opened, ${report.incidents.closed} closed`],
      ...coverageFacts(report),
      ['Week', `${show(report.since)} to ${show(report.until)}`],
    ],
    linkText: 'Open the metrics',
  }
}

function headlineOf({ findings, deadlines, more, overdue }: WeeklyReport): string {
  const due = deadlines.reduce((sum, { incidents = 1 }) => sum + incidents, more) - overdue
  const parts = [
    ...(overdue > 0 ? [noun(overdue, 'overdue report')] : []),
    ...(due > 0 ? [`${noun(due, 'report')} due this week`] : []),
    ...(findings === null ? [] : [noun(findings.open, 'open finding')]),
  ]
  return `Your week: ${parts.join(', ')}`
}

function findingFacts(findings: WeeklyFindings): Facts {
  const { open, before, opened, settled, closed, bySeverity, exploited, vulnerabilities } = findings
  const counted = severities.filter((severity) => bySeverity[severity] > 0)
  const split = counted.map((severity) => `${bySeverity[severity]} ${severity}`).join(', ')
  return [
    ['Open findings', `${open}${split === '' ? '' : ` (${split})`}, ${before} a week ago`],
    ['In the week', `${opened} new, ${settled} declared not affected or fixed, ${closed} gone`],
    ['Newly exploited', exploited === 0 ? 'none' : `${exploited}: ${vulnerabilities.join(', ')}`],
  ]
}

function deadlineFacts({ deadlines, more }: WeeklyReport, show: ShowTime): Facts {
  if (deadlines.length === 0) return [['Due in the coming week', 'no report to an authority']]
  return [
    ...deadlines.map(
      ({ reference, report, dueAt, incidents = 1 }) =>
        ['Due', `${stageNames[report]} for ${reference}${andMore(incidents)}, ${show(dueAt)}`] as const,
    ),
    ...(more > 0 ? ([['Due', `and ${more} more, in the application`]] as const) : []),
  ]
}

/** Others on the same vulnerability. */
function andMore(incidents: number): string {
  return incidents === 1 ? '' : ` and ${incidents - 1} more`
}

function coverageFacts({ coverage }: WeeklyReport): Facts {
  if (coverage === null) return []
  const before =
    coverage.before === null ? 'not counted a week ago' : `${shareOf(coverage.before)} a week ago`
  const now =
    coverage.components === 0 ? 'no components' : `${shareOf(coverage)} of ${coverage.components} components`
  return [['Coverage', `${now}, ${before}`], ...outdatedFacts(coverage)]
}

/** A source may fail or be old while its components stay covered (docs/decisions/0034). */
function outdatedFacts({ covered, data }: NonNullable<WeeklyReport['coverage']>): Facts {
  const outdated = data === undefined ? [] : outdatedIn(data)
  if (data === undefined || outdated.length === 0) return []
  const more = outdated.length - maxOutdated
  return [
    ['Out of date', describeStale(data, covered)],
    ...outdated.slice(0, maxOutdated).map((source) => ['Out of date', describeOutdated(source)] as const),
    ...(more > 0
      ? ([['Out of date', `and ${more} more, on the page Sources of the application`]] as const)
      : []),
  ]
}

/** Rounded down: only all of them count as all. */
function shareOf({ covered, components }: { covered: number; components: number }): string {
  return components === 0 ? 'none' : `${Math.floor((covered / components) * 100)} %`
}

function noun(count: number, word: string): string {
  return `${count} ${count === 1 ? word : `${word}s`}`
}
