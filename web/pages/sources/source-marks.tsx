import { IconCircleCheckFilled, IconClockPause, IconXboxXFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SourceRow } from '../../../src/contract/app.ts'
import { Chip } from '../../ui/Chip.tsx'
import { Age } from '../../ui/Time.tsx'

export function Taken({ at }: { at: string | null }): ReactNode {
  return at === null ? <span className="dimmed">never</span> : <Age at={at} />
}

export function SourceState({ source }: { source: SourceRow }): ReactNode {
  if (source.lastError !== null) {
    return (
      <Chip tone="bad" Icon={IconXboxXFilled} title={source.lastError}>
        failed
      </Chip>
    )
  }
  return source.lastSuccessAt === null ? (
    <Chip tone="neutral" Icon={IconClockPause}>
      not loaded
    </Chip>
  ) : (
    <Chip tone="good" Icon={IconCircleCheckFilled}>
      current
    </Chip>
  )
}
