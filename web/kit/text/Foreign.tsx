import type { ReactNode } from 'react'
import { visibleLines, visibleText } from '#contract/hidden-characters.ts'

/** Text from files and other people: it cannot change the direction of the text around it, nor hide characters. */
export function Foreign({ children }: { children: string }): ReactNode {
  return <bdi>{visibleText(children)}</bdi>
}

/** The same on one line, cut at its end if too long. */
export function CutForeign({ children }: { children: string }): ReactNode {
  return (
    <span className="clip">
      <Foreign>{children}</Foreign>
    </span>
  )
}

/** The same for multi-line text, such as a comment or a report. */
export function ForeignLines({ children }: { children: string }): ReactNode {
  return <bdi style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{visibleLines(children)}</bdi>
}
