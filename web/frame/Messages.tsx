import { Notifications } from '@mantine/notifications'
import { useRef, type FocusEvent, type MouseEvent, type ReactNode } from 'react'

/** A message that is focused stays until it is left or closed. */
const shownMs = 5_000

/**
 * What was done or refused, for a few seconds. One that is closed with the keyboard takes the focus along: it goes back to what had it before, or
 * where that is gone to the page.
 */
export function Messages(): ReactNode {
  const before = useRef<HTMLElement | null>(null)
  const noteFocus = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
      before.current = relatedTarget
  }
  const giveBack = ({ detail, target }: MouseEvent<HTMLElement>) => {
    const isByKeyboard = detail === 0
    if (!isByKeyboard || !(target instanceof Element) || target.closest('button') === null) return
    for (const place of [before.current, document.querySelector<HTMLElement>('main')]) {
      place?.focus({ preventScroll: true })
      if (document.activeElement === place) break
    }
  }
  return (
    <Notifications
      position="bottom-right"
      autoClose={shownMs}
      onFocusCapture={noteFocus}
      onClick={giveBack}
    />
  )
}
