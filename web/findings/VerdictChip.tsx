import type { ReactNode } from 'react'
import type { VerdictSource } from '#contract/findings/verdict.ts'
import type { Verdict } from '#contract/vex/shapes.ts'
import { Chip } from '../kit/text/Chip.tsx'
import { verdictLooks } from './verdict.ts'

type Props = {
  verdict: Verdict | null
  /** Shows who decided, where that is not shown beside it. */
  source?: VerdictSource | null
}

const sourceWords: Record<VerdictSource, string> = {
  decision: ' Decided by a member.',
  document: ' Stated in an uploaded document.',
}

/** The verdict in force, or "undecided" when there is none. */
export function VerdictChip({ verdict, source = null }: Props): ReactNode {
  if (verdict === null) return <span className="dimmed">undecided</span>
  const { word, tone, Icon, meaning } = verdictLooks[verdict]
  return (
    <Chip tone={tone} Icon={Icon} title={source === null ? meaning : meaning + sourceWords[source]}>
      {word}
    </Chip>
  )
}
