import { IconChevronRight } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTree } from './tree-state.ts'
import styles from './dependencies.module.css'

type Props = {
  place: string
  /** Starts at 1. */
  level: number
  /** Position among its siblings, and their number. */
  position: { at: number; of: number }
  /** Whether it can be expanded. */
  opens: boolean
  onPress: () => void
  isShown?: boolean
  /** Content of the row. */
  children: ReactNode
  /** Content below it when expanded. */
  below?: ReactNode
}

/**
 * One row of the tree, followed by its expanded rows. Rows are siblings in the DOM, so that each is named by its own text; `aria-level`
 * conveys the hierarchy.
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
