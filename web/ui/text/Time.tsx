import type { ReactNode } from 'react'
import { useNow } from './clock.ts'
import { formatAbsolute, formatAge, formatMoment, formatZoned } from './format.ts'

const minuteMs = 60_000
const recentMs = 2 * minuteMs

/** `3 h ago`; the absolute local time and UTC on hover. */
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

/** `14:02 today`, `21 Nov, 14:02`; the full local time and UTC on hover. */
export function Moment({ at }: { at: string }): ReactNode {
  return <TimeWords at={at} words={formatMoment(at, useNow(minuteMs))} />
}

/** As `Moment`, of a record that may give no date. */
export function StatedTime({ at }: { at: string | null }): ReactNode {
  return at === null ? <span className="dimmed">no date</span> : <Moment at={at} />
}

/** `21 Nov 2025, 14:02 CET`, in the zone of the browser where none is given; UTC on hover. */
export function ZonedTime({ at, timeZone }: { at: string; timeZone?: string }): ReactNode {
  return <TimeWords at={at} words={formatZoned(at, timeZone)} timeZone={timeZone} />
}

type WordsProps = { at: string; words: string; timeZone?: string | undefined }

function TimeWords({ at, words, timeZone }: WordsProps): ReactNode {
  return (
    <time dateTime={at} title={formatAbsolute(at, timeZone)} style={{ whiteSpace: 'nowrap' }}>
      {words}
    </time>
  )
}
