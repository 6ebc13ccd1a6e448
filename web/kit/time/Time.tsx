import type { ReactNode } from 'react'
import { useNow } from './clock.ts'
import { formatAbsolute, formatAge, formatMoment, formatZoned } from '../text/format.ts'
import { useTimeZone } from './time-zone.ts'
import { minuteMs } from '#contract/durations.ts'

const recentMs = 2 * minuteMs

/** `3 h ago`; hover shows the absolute time in the person's zone (time-zone.ts) and in UTC. */
export function Age({ at }: { at: string }): ReactNode {
  const seconds = useNow()
  const isRecent = Math.abs(Date.parse(at) - seconds) < recentMs
  return (
    <TimeWords
      at={at}
      words={formatAge(at, isRecent ? seconds : Math.floor(seconds / minuteMs) * minuteMs)}
    />
  )
}

/** `14:02 CET today`, `21 Nov, 14:02 CET`; hover shows the full time with its zone and UTC. */
export function Moment({ at, wraps = false }: { at: string; wraps?: boolean }): ReactNode {
  return <TimeWords at={at} words={formatMoment(at, useNow(minuteMs), useTimeZone())} wraps={wraps} />
}

/** Like `Moment`, for records that may have no date. */
export function StatedTime({ at, wraps = false }: { at: string | null; wraps?: boolean }): ReactNode {
  return at === null ? <span className="dimmed">no date</span> : <Moment at={at} wraps={wraps} />
}

/** `21 Nov 2025, 14:02 CET`, in the person's zone by default; hover shows UTC. */
export function ZonedTime({ at, timeZone }: { at: string; timeZone?: string }): ReactNode {
  const own = useTimeZone()
  return <TimeWords at={at} words={formatZoned(at, timeZone ?? own)} timeZone={timeZone} wraps />
}

type WordsProps = {
  at: string
  words: string
  timeZone?: string | undefined
  /** May wrap onto two lines in narrow places. */
  wraps?: boolean
}

function TimeWords({ at, words, timeZone, wraps = false }: WordsProps): ReactNode {
  const own = useTimeZone()
  return (
    <time
      dateTime={at}
      title={formatAbsolute(at, timeZone ?? own)}
      style={wraps ? undefined : { whiteSpace: 'nowrap' }}
    >
      {words}
    </time>
  )
}
