import type { ReactNode } from 'react'
import { visibleText } from '../../../src/contract/hidden-characters.ts'

/** Text from files and from other people: it cannot turn the direction of what is around it, nor hide characters. */
export function Foreign({ children }: { children: string }): ReactNode {
  return <bdi>{visibleText(children)}</bdi>
}
