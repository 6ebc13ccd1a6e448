import type { ReactNode } from 'react'
import type { Judged } from '#contract/findings/counts.ts'
import { formatCount, formatShare } from '../kit/text/format.ts'

/** Shown instead of a number of findings where nothing could be checked. */
export function NotJudged(): ReactNode {
  return (
    <span className="dimmed" title="Not known: no component could be checked">
      –
    </span>
  )
}

/** The share of components that could be checked, beside a number of findings. */
export function Covered({ judged: { covered, components } }: { judged: Judged }): ReactNode {
  if (components === 0) return <span className="dimmed">–</span>
  return (
    <span
      className={covered === 0 ? 'dimmed' : undefined}
      title={`${formatCount(covered)} of ${formatCount(components)} components could be checked`}
    >
      {formatShare(covered, components)}
    </span>
  )
}

/** The same below a number on a phone, which has no column for it. */
export function CoveredBelow({ judged: { covered, components } }: { judged: Judged }): ReactNode {
  if (components === 0) return null
  return (
    <span className="phone-only dimmed" style={{ fontSize: 12, lineHeight: '14px' }}>
      {formatShare(covered, components)} covered
    </span>
  )
}
