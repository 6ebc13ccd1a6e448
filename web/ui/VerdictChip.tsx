import type { ReactNode } from 'react'
import type { Verdict } from '../../src/contract/vex.ts'
import { Chip } from './Chip.tsx'
import { verdictLooks } from './verdict.ts'

/** The verdict in force, or that nobody has given one. */
export function VerdictChip({ verdict }: { verdict: Verdict | null }): ReactNode {
  if (verdict === null) return <span className="dimmed">undecided</span>
  const { word, tone, Icon, meaning } = verdictLooks[verdict]
  return (
    <Chip tone={tone} Icon={Icon} title={meaning}>
      {word}
    </Chip>
  )
}
