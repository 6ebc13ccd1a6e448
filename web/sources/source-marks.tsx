import { visibleText } from '#contract/hidden-characters.ts'
import {
  IconCircleCheckFilled,
  IconCircleDashed,
  IconCircleHalf2,
  IconClockExclamation,
  IconClockPause,
  IconPlugConnectedX,
  IconXboxXFilled,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import {
  isOldSource,
  oldSourceWord,
  sourceStateWords,
  type SourceRow,
  type SourceState as State,
} from '#contract/sources/shapes.ts'
import { useNow } from '../kit/time/clock.ts'
import { StatusChip, type Look } from '../kit/text/Chip.tsx'
import { Age } from '../kit/time/Time.tsx'

export function Taken({ at }: { at: string | null }): ReactNode {
  return at === null ? <span className="dimmed">never</span> : <Age at={at} />
}

const looks: Record<State, Omit<Look, 'word'>> = {
  ok: { tone: 'good', Icon: IconCircleCheckFilled },
  failing: { tone: 'bad', Icon: IconXboxXFilled },
  partial: {
    tone: 'warn',
    Icon: IconCircleHalf2,
    title:
      'Only some of its records were loaded. Components count as covered once the source is fully loaded',
  },
  never: { tone: 'neutral', Icon: IconClockPause, title: 'Nothing has been loaded from this source yet' },
  no_source: {
    tone: 'neutral',
    Icon: IconCircleDashed,
    title: 'The source has no data for this ecosystem. It is asked again at every refresh',
  },
  off: {
    tone: 'neutral',
    Icon: IconPlugConnectedX,
    title: 'Switched off by the configuration, and nothing was loaded by hand',
  },
}

export function SourceState({ source }: { source: SourceRow }): ReactNode {
  const nowMs = useNow(60_000)
  if (isOldSource(source, nowMs)) {
    return (
      <StatusChip
        tone="warn"
        Icon={IconClockExclamation}
        title="Not updated for more than a day: what became known since is missing"
        word={oldSourceWord}
      />
    )
  }
  const error = source.lastError === null ? {} : { title: visibleText(source.lastError) }
  return <StatusChip {...looks[source.state]} {...error} word={sourceStateWords[source.state]} />
}
