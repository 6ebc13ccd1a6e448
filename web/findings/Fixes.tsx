import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { VersionText } from '../kit/text/CutText.tsx'

type Props = {
  /** The nearest one. */
  fixedIn: string | null
  otherFixes?: readonly string[]
}

/** The nearest version that fixes it and how many others there are, on one line; all of them show on hover. */
export function Fixes({ fixedIn, otherFixes = [] }: Props): ReactNode {
  if (fixedIn === null) return <span className="dimmed">no known fix</span>
  if (otherFixes.length === 0) return <VersionText>{fixedIn}</VersionText>
  const all = [fixedIn, ...otherFixes].join(', ')
  return (
    <span className="named">
      <VersionText title={all}>{fixedIn}</VersionText>
      <span className="dimmed whole" title={visibleText(all)}>
        +{otherFixes.length}
      </span>
    </span>
  )
}

/** What the cell needs room for. */
export function fixesText({ fixedIn, otherFixes = [] }: Props): string {
  const nearest = visibleText(fixedIn ?? '')
  return otherFixes.length === 0 ? nearest : `${nearest} +${otherFixes.length}`
}
