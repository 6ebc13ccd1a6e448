import type { ReactNode } from 'react'
import { visibleLines, visibleText } from '#contract/hidden-characters.ts'

/** Text from files and other people: it cannot change the direction of the text around it, nor hide characters. */
export function Foreign({ children }: { children: string }): ReactNode {
  return <bdi>{visibleText(children)}</bdi>
}

/** The same for multi-line text, such as a comment or a report. */
export function ForeignLines({ children }: { children: string }): ReactNode {
  return <bdi style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{visibleLines(children)}</bdi>
}
