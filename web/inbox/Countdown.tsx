import { IconAlarm, IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Chip } from '../kit/text/Chip.tsx'
import { useNow } from '../kit/time/clock.ts'
import { formatAbsolute, formatDistance } from '../kit/text/format.ts'
import { useTimeZone } from '../kit/time/time-zone.ts'
import { minuteMs } from '#contract/durations.ts'

const soonMs = 24 * 60 * minuteMs

/** Time left to acknowledge a report, or how long it is overdue. */
export function Countdown({ by }: { by: string | null }): ReactNode {
  const nowMs = useNow(minuteMs)
  const timeZone = useTimeZone()
  if (by === null) return <span className="dimmed">–</span>
  const leftMs = Date.parse(by) - nowMs
  const words = leftMs <= 0 ? `overdue ${formatDistance(leftMs)}` : `in ${formatDistance(leftMs)}`
  const title = `Acknowledge by ${formatAbsolute(by, timeZone)}`
  if (leftMs > soonMs) return <span title={title}>{words}</span>
  return (
    <Chip
      tone={leftMs <= 0 ? 'bad' : 'warn'}
      Icon={leftMs <= 0 ? IconAlertTriangle : IconAlarm}
      title={title}
    >
      {words}
    </Chip>
  )
}
