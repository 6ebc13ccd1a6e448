import type { ReactNode } from 'react'
import { visibleText } from '#contract/hidden-characters.ts'
import { isMalware, type MayBeMalware } from './MalwareMark.tsx'
import { VersionText } from '../kit/text/CutText.tsx'

type Props = MayBeMalware & {
  /** The nearest one. */
  fixedIn: string | null
  otherFixes?: readonly string[]
}

/** Malware is removed, never updated. Otherwise the nearest fix and the number of others, on one line; hover shows all. */
export function Fixes({ fixedIn, otherFixes = [], ...row }: Props): ReactNode {
  if (isMalware(row)) return <strong>remove it</strong>
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

/** The text the column is sized for. */
export function fixesText({ fixedIn, otherFixes = [], ...row }: Props): string {
  if (isMalware(row)) return 'remove it'
  const nearest = visibleText(fixedIn ?? '')
  return otherFixes.length === 0 ? nearest : `${nearest} +${otherFixes.length}`
}
