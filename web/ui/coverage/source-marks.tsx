import { visibleText } from '../../../src/contract/hidden-characters.ts'
import {
  IconCircleCheckFilled,
  IconCircleHalf2,
  IconClockExclamation,
  IconClockPause,
  IconXboxXFilled,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SourceRow } from '../../../src/contract/app.ts'
import { useNow } from '../text/clock.ts'
import { Chip } from '../Chip.tsx'
import { Age } from '../text/Time.tsx'

export function Taken({ at }: { at: string | null }): ReactNode {
  return at === null ? <span className="dimmed">never</span> : <Age at={at} />
}

/** Data older than a day misses what became known since. */
const oldMs = 24 * 3600 * 1000

export function SourceState({ source }: { source: SourceRow }): ReactNode {
  const nowMs = useNow(60_000)
  if (source.lastError !== null) {
    return (
      <Chip tone="bad" Icon={IconXboxXFilled} title={visibleText(source.lastError)}>
        failed
      </Chip>
    )
  }
  if (source.lastSuccessAt === null) {
    return (
      <Chip tone="neutral" Icon={IconClockPause} title="No data from this source has been loaded yet">
        not loaded
      </Chip>
    )
  }
  if (!source.isWhole) {
    return (
      <Chip
        tone="warn"
        Icon={IconCircleHalf2}
        title="Only some of its records were loaded. Components count as covered once the source is fully loaded"
      >
        partly loaded
      </Chip>
    )
  }
  return nowMs - Date.parse(source.lastSuccessAt) > oldMs ? (
    <Chip tone="warn" Icon={IconClockExclamation} title="Sources are checked several times a day">
      old
    </Chip>
  ) : (
    <Chip tone="good" Icon={IconCircleCheckFilled}>
      current
    </Chip>
  )
}
