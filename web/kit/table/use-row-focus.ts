import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react'
import { rowAfterKey } from './column.ts'
import { rowOfLink } from './row-of-link.ts'

type RowFocus = {
  /** The row that had the focus last, by the arrow keys or otherwise. */
  active: number
  onFocus: (event: FocusEvent<HTMLElement>) => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>, row: number) => void
}

type Options = { region: RefObject<HTMLElement | null>; rows: number; scrollTo: (row: number) => void }

/** Moves the focus between rows that may not be rendered yet: scrolls first, and focuses the row once it exists. */
export function useRowFocus({ region, rows, scrollTo }: Options): RowFocus {
  const [active, setActive] = useState(0)
  const wanted = useRef<number | undefined>(undefined)

  useEffect(() => {
    if (wanted.current === undefined) return
    const target = region.current?.querySelector<HTMLElement>(
      `[data-row="${wanted.current}"] [data-row-link]`,
    )
    if (target === null || target === undefined) return
    wanted.current = undefined
    target.focus({ preventScroll: true })
  })

  function onKeyDown(event: KeyboardEvent<HTMLElement>, row: number): void {
    const next = rowAfterKey(event.key, row, rows)
    if (next === undefined || !(event.target instanceof HTMLElement)) return
    if (!event.target.hasAttribute('data-row-link')) return
    event.preventDefault()
    wanted.current = next
    setActive(next)
    scrollTo(next)
  }

  function onFocus({ target }: FocusEvent<HTMLElement>): void {
    setActive(rowOfLink(target) ?? active)
  }

  return { active, onFocus, onKeyDown }
}
