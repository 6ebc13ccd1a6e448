import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { stageNames } from '#contract/incidents/incident-names.ts'
import type { IncidentDetail, RegimeOnIncident, ReportSummary } from '#contract/incidents/shapes.ts'
import { useWorkspace } from '../../workspaces/use-workspace.ts'
import { pages } from '../../areas.ts'
import { BothTimes, Countdown } from '../../kit/time/Countdown.tsx'
import { ReportStatusChip } from '../incident-marks.tsx'
import { PlatformPractice } from '../PlatformPractice.tsx'
import { reasonNames, regimeNames, regimeQuestions, regimeTitles, reportName, waitsFor } from '../words.ts'
import { Section } from '../../kit/page/Section.tsx'
import { ExternalLink } from '../../kit/text/ExternalLink.tsx'
import { Foreign, ForeignLines } from '../../kit/text/Foreign.tsx'
import { ButtonLink } from '../../kit/text/links.tsx'
import styles from './ClockRows.module.css'
import { RegimeSwitches } from './RegimeSwitches.tsx'
import { SubmitReport } from './SubmitReport.tsx'

type Props = { incident: IncidentDetail }

/** A row for each regime: its reports by due date, each with its clock. */
export function ClockRows({ incident }: Props): ReactNode {
  const shown = incident.regimes.filter(
    ({ regime, isActive }) => isActive || incident.reports.some((report) => report.regime === regime),
  )
  return (
    <Section title="Reports and deadlines" aside={<RegimeSwitches incident={incident} />}>
      {shown.length === 0 ? (
        <p className={styles['none']}>No regime asks for a report on this incident.</p>
      ) : (
        shown.map((regime) => <RegimeRow key={regime.regime} incident={incident} regime={regime} />)
      )}
      <Suggested incident={incident} />
      {isDrillUnderCra(incident) ? <PlatformPractice /> : null}
    </Section>
  )
}

/** In a drill people learn the platform before they have to file there. */
function isDrillUnderCra({ isExercise, status, regimes }: IncidentDetail): boolean {
  return (
    isExercise && status === 'open' && regimes.some(({ regime, isActive }) => regime === 'cra' && isActive)
  )
}

/** Includes regimes that may apply. */
function Suggested({ incident: { status, suggestedRegimes } }: Props): ReactNode {
  if (status === 'closed' || suggestedRegimes.length === 0) return null
  const words = suggestedRegimes.map((regime) => `${regimeNames[regime]} ${regimeQuestions[regime]}`)
  return <p className={styles['none']}>Switch on under Regimes: {words.join('; ')}.</p>
}

function RegimeRow({ incident, regime }: Props & { regime: RegimeOnIncident }): ReactNode {
  const reports = incident.reports.filter(
    (report) => report.regime === regime.regime && report.cycle === incident.cycle,
  )
  return (
    <div className={styles['regime']} role="group" aria-label={regimeTitles[regime.regime]}>
      <div className={styles['name']}>
        <strong title={regimeTitles[regime.regime]}>{regimeNames[regime.regime]}</strong>
        <AuthorityLine regime={regime} />
        {regime.hasOwnAwareness ? (
          <span className="dimmed">
            aware <BothTimes at={regime.awareAt} timeZone={incident.timeZone} inText />
          </span>
        ) : null}
        {regime.isActive || regime.reason === null ? null : (
          <span className="dimmed">
            switched off: <ForeignLines>{regime.reason}</ForeignLines>
          </span>
        )}
      </div>
      <ol className={styles['stages']}>
        {reports.map((report) => (
          <Stage key={report.id} incident={incident} report={report} />
        ))}
      </ol>
    </div>
  )
}

function AuthorityLine({ regime: { authority } }: { regime: RegimeOnIncident }): ReactNode {
  if (authority === null) return <span className="dimmed">no authority stored</span>
  return (
    <span className="dimmed">
      {authority.portal === null ? (
        <Foreign>{authority.name}</Foreign>
      ) : (
        <ExternalLink href={authority.portal}>
          <Foreign>{authority.name}</Foreign>
        </ExternalLink>
      )}
      {authority.phone === null ? null : (
        <>
          {' '}
          · <Foreign>{authority.phone}</Foreign>
        </>
      )}
    </span>
  )
}

function Stage({ incident, report }: Props & { report: ReportSummary }): ReactNode {
  const { slug } = useWorkspace()
  const isToDo = ['open', 'due_soon', 'overdue', 'waiting'].includes(report.status)
  return (
    <li className={styles['stage']} data-status={report.status}>
      <Group justify="space-between" gap="2px 8px">
        <strong>{stageNames[report.report]}</strong>
        <ReportStatusChip status={report.status} />
      </Group>
      <StageTime incident={incident} report={report} />
      {isToDo ? (
        <Group gap={6} mt={8}>
          <SubmitReport incident={incident} report={report} />
          <ButtonLink
            {...pages.incident(slug, incident.id, { tab: 'drafts', report: report.id })}
            size="compact-xs"
            variant="default"
            resetScroll={false}
            aria-label={`Draft, ${reportName(report)}`}
          >
            Draft
          </ButtonLink>
        </Group>
      ) : null}
    </li>
  )
}

function StageTime({ incident, report }: Props & { report: ReportSummary }): ReactNode {
  const { timeZone, kind } = incident
  const { status, dueAt, submittedAt, reason, regime, report: stage } = report
  if (submittedAt !== null) {
    return (
      <span className={styles['submitted']}>
        <BothTimes at={submittedAt} timeZone={timeZone} />
      </span>
    )
  }
  if (status === 'not_required')
    return <span className="dimmed">{reason === null ? '' : reasonNames[reason]}</span>
  if (dueAt === null) return <span className="dimmed">{waitsFor(kind, regime, stage)}</span>
  return <Countdown dueAt={dueAt} timeZone={timeZone} isSoon={status === 'due_soon'} withTime />
}
