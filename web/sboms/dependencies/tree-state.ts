import { createContext, use } from 'react'

/**
 * What is expanded in the tree, and where the focus is. A row is identified by the numbers from the product down, such as `/12/7`: a
 * component appears once for each path to it.
 */
type TreeState = {
  slug: string
  sbomId: string
  isOpen: (place: string) => boolean
  onToggle: (place: string) => void
  /** The row that Tab reaches. */
  tabStop: string
  /** The component whose detail is shown. */
  shown: string | undefined
  onShow: (component: number) => void
}

const TreeContext = createContext<TreeState | null>(null)

export const TreeProvider = TreeContext.Provider

export function useTree(): TreeState {
  const tree = use(TreeContext)
  if (tree === null) throw new Error('a row of the tree is drawn outside of a tree')
  return tree
}

/** The expanded rows after a toggle; collapsing a row collapses those below it. */
export function toggled(open: ReadonlySet<string>, place: string): ReadonlySet<string> {
  if (!open.has(place)) return new Set([...open, place])
  return new Set([...open].filter((other) => other !== place && !isBelow(other, place)))
}

export function isBelow(place: string, other: string): boolean {
  return place.startsWith(`${other}/`)
}
