import { IconChevronRight } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTree } from './tree-state.ts'
import styles from './dependencies.module.css'

type Props = {
  place: string
  /** From 1 on. */
  level: number
  /** Which of how many it is among those that are beside it. */
  position: { at: number; of: number }
  /** Whether it opens. */
  opens: boolean
  onPress: () => void
  isShown?: boolean
  /** What the row says. */
  children: ReactNode
  /** What is below it when it is open. */
  below?: ReactNode
}

/**
 * One row of the tree, followed by what is open below it. The rows are beside each other in the document, so that each is named by what
 * it says itself; how they belong together is told by their levels.
 */
export function TreeItem(props: Props): ReactNode {
  const { place, level, position, opens, onPress, isShown = false, children, below } = props
  const { isOpen, onToggle, tabStop } = useTree()
  const isOpened = opens && isOpen(place)
  return (
    <>
      <li
        role="treeitem"
        aria-level={level}
        aria-posinset={position.at}
        aria-setsize={position.of}
        aria-expanded={opens ? isOpened : undefined}
        tabIndex={tabStop === place ? 0 : -1}
        data-place={place}
        data-shown={isShown}
        className={styles['row']}
        style={{ '--level': level } as CSSProperties}
        onClick={onPress}
      >
        <span
          data-toggle
          aria-hidden
          className={styles['toggle']}
          data-open={isOpened}
          onClick={(event) => {
            event.stopPropagation()
            if (opens) onToggle(place)
          }}
        >
          {opens ? <IconChevronRight size={16} /> : null}
        </span>
        {children}
      </li>
      {isOpened ? below : null}
    </>
  )
}
