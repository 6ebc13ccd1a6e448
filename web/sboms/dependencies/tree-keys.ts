import type { KeyboardEvent } from 'react'

/*
 * Keyboard support of a tree (WAI-ARIA Authoring Practices, "Tree View Pattern"). The rendered rows are the state: they are in the DOM in
 * reading order.
 */

function toggle(item: Element): void {
  item.querySelector<HTMLElement>(':scope > [data-toggle]')?.click()
}

const levelOf = (item: Element) => Number(item.getAttribute('aria-level'))

/** The parent of an item: the nearest one before it with a lower level. */
function outerOf({ item, items, at }: Pressed): HTMLElement | undefined {
  return items.slice(0, at).findLast((other) => levelOf(other) < levelOf(item))
}

type Pressed = { item: HTMLElement; items: readonly HTMLElement[]; at: number; expanded: string | null }

const acts: Readonly<Record<string, (pressed: Pressed) => void>> = {
  ArrowDown: ({ items, at }) => items[at + 1]?.focus(),
  ArrowUp: ({ items, at }) => items[at - 1]?.focus(),
  Home: ({ items }) => items[0]?.focus(),
  End: ({ items }) => items.at(-1)?.focus(),
  ArrowRight: ({ item, items, at, expanded }) => {
    if (expanded === 'false') toggle(item)
    else if (expanded === 'true') items[at + 1]?.focus()
  },
  ArrowLeft: (pressed) => {
    if (pressed.expanded === 'true') toggle(pressed.item)
    else outerOf(pressed)?.focus()
  },
  ' ': ({ item, expanded }) => {
    if (expanded !== null) toggle(item)
  },
  Enter: ({ item }) => item.click(),
}

export function onTreeKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key } = event
  if (!(target instanceof HTMLElement) || target.role !== 'treeitem') return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const act = acts[key]
  if (act === undefined) return
  event.preventDefault()
  const items = [...currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')]
  act({ item: target, items, at: items.indexOf(target), expanded: target.getAttribute('aria-expanded') })
}
