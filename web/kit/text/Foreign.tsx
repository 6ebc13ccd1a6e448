import type { ReactNode } from 'react'
import { visibleLines, visibleText } from '#contract/hidden-characters.ts'

/** Text from files and from other people: it cannot turn the direction of what is around it, nor hide characters. */
export function Foreign({ children }: { children: string }): ReactNode {
  return <bdi>{visibleText(children)}</bdi>
}

/** The same of what may have several lines, such as a comment or a report. */
export function ForeignLines({ children }: { children: string }): ReactNode {
  return <bdi style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{visibleLines(children)}</bdi>
}
