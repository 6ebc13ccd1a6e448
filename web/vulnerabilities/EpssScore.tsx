import type { ReactNode } from 'react'
import type { Epss } from '#contract/vulnerabilities/shapes.ts'
import { formatShare } from '../kit/text/format.ts'

/** The probability of exploitation within thirty days. */
export function EpssScore({ epss }: { epss: Epss | null }): ReactNode {
  if (epss === null) {
    return (
      <span className="dimmed" title="No EPSS score">
        –
      </span>
    )
  }
  return (
    <span
      title={`Probability of exploitation within 30 days; higher than ${formatShare(epss.percentile, 1)} of all scored CVEs`}
    >
      {formatShare(epss.score, 1)}
    </span>
  )
}
