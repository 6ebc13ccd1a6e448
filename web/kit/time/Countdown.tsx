import { IconAlarm, IconAlertOctagonFilled, IconClock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useNow } from './clock.ts'
import { formatAbsolute, formatZoned } from '../text/format.ts'
import styles from './Countdown.module.css'
import { formatCountdown } from './until.ts'

type Props = {
  dueAt: string
  /** The workspace's zone: legal deadlines are counted in it. */
  timeZone: string
  /** Within the warning period. */
  isSoon?: boolean
  /** Shows the absolute time below, not only on hover. */
  withTime?: boolean
}

/** `in 31 h 05 min`, ticking; overdue time in red. The absolute time with its zone, and UTC. */
export function Countdown({ dueAt, timeZone, isSoon = false, withTime = false }: Props): ReactNode {
  const due = Date.parse(dueAt)
  // to the second, so that it never shows more time than is left
  const now = useNow()
  const isOver = now > due
  const urgency = isOver ? 'overdue' : isSoon ? 'soon' : 'open'
  const Icon = isOver ? IconAlertOctagonFilled : isSoon ? IconAlarm : IconClock
  return (
    <span className={styles['countdown']} data-urgency={urgency}>
      <time dateTime={dueAt} title={formatAbsolute(dueAt, timeZone)} className={styles['left']}>
        <Icon size={14} aria-hidden />
        {isOver ? `overdue by ${formatCountdown(due - now)}` : `in ${formatCountdown(due - now)}`}
      </time>
      {withTime ? <BothTimes at={dueAt} timeZone={timeZone} /> : null}
    </span>
  )
}

type Both = {
  at: string
  timeZone: string
  /** Within a sentence, which goes on behind it. */
  inText?: boolean
}

/** `21 Nov 2025, 14:02 CET · 13:02 UTC`: for people and for authorities. */
export function BothTimes({ at, timeZone, inText = false }: Both): ReactNode {
  const day = formatAbsolute(at, timeZone)
  return (
    <time dateTime={at} title={day} className={styles['times']} data-in-text={inText || undefined}>
      {formatZoned(at, timeZone)}
      {timeZone === 'UTC' ? null : (
        <span className={styles['utc']}>
          <span className={styles['between']}> · </span>
          {utcTime(at)}
        </span>
      )}
    </time>
  )
}

function utcTime(at: string): string {
  return `${new Date(at).toISOString().slice(11, 16)} UTC`
}
