import {
  IconAlarm,
  IconAlertOctagonFilled,
  IconBan,
  IconCircleCheckFilled,
  IconCircleDot,
  IconClock,
  IconHourglass,
  IconLock,
  IconSchool,
  IconScale,
  IconUserQuestion,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { valueNames } from '#contract/incidents/incident-names.ts'
import type { IncidentRow } from '#contract/incidents/shapes.ts'
import { negativeValues, type IncidentStatus, type ReportStatus } from '#contract/incidents/words.ts'
import { Chip, StatusChip, type Look } from '../kit/text/Chip.tsx'
import { stateNames } from './words.ts'

const statusLooks: Record<IncidentStatus, Look> = {
  open: { word: 'open', tone: 'warn', Icon: IconCircleDot },
  closed: { word: 'closed', tone: 'neutral', Icon: IconLock },
}

export function IncidentStatusChip({ status }: { status: IncidentStatus }): ReactNode {
  return <StatusChip {...statusLooks[status]} />
}

/** Marks a drill. */
export function DrillChip(): ReactNode {
  return (
    <Chip tone="triage" Icon={IconSchool} title="An exercise: no events, no statistics, nothing to file">
      drill
    </Chip>
  )
}

const reportLooks: Record<ReportStatus, Look> = {
  waiting: { word: 'waiting', tone: 'neutral', Icon: IconHourglass },
  open: { word: 'open', tone: 'plain', Icon: IconClock },
  due_soon: { word: 'due soon', tone: 'warn', Icon: IconAlarm },
  overdue: { word: 'overdue', tone: 'bad', Icon: IconAlertOctagonFilled },
  submitted: { word: 'submitted', tone: 'good', Icon: IconCircleCheckFilled },
  late: { word: 'submitted late', tone: 'warn', Icon: IconCircleCheckFilled },
  not_required: { word: 'not required', tone: 'neutral', Icon: IconBan },
}

export function ReportStatusChip({ status }: { status: ReportStatus }): ReactNode {
  return <StatusChip {...reportLooks[status]} />
}

/** The determination, and its state. */
type Decided = Pick<NonNullable<IncidentRow['determination']>, 'value' | 'state'>

export function DeterminationMark({ of }: { of: Decided | null }): ReactNode {
  if (of === null) return <span className="dimmed">none yet</span>
  const isPending = of.state === 'pending'
  // green only for what needs no report
  const decided = negativeValues.includes(of.value) ? 'good' : 'bad'
  return (
    <Chip
      tone={isPending ? 'triage' : of.state === 'approved' ? decided : 'neutral'}
      Icon={isPending ? IconUserQuestion : IconScale}
      title={`${valueNames[of.value]}: ${stateNames[of.state]}`}
    >
      {valueNames[of.value]}
    </Chip>
  )
}
