import { useLayoutEffect, useState } from 'react'

/** After the dialog itself has tried to give the focus back, which it does 10 ms after it closed. */
const afterDialogMs = 30

/** What had the focus last: a button that cannot be used while its act is sent has lost it when a dialog opens over that act. */
let last: HTMLElement | null = null
type Place = { isOpen: boolean; before: HTMLElement | null }

/** The id of the button whose menu had the focus last, while nothing else has got it: an item takes it along when its menu goes. */
let menuButtonId = ''

function noteFocus({ target }: FocusEvent): void {
  last = target instanceof HTMLElement ? target : null
  menuButtonId = last?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? ''
}

/** The button of an act that goes on after the dialog, while nothing but the page has the focus. */
function focusOnceUsable(button: HTMLElement, page: HTMLElement | null): void {
  const watching = new MutationObserver(() => {
    if (button.matches(':disabled')) return
    watching.disconnect()
    if ([document.body, page].includes(document.activeElement as HTMLElement))
      button.focus({ preventScroll: true })
  })
  watching.observe(button, { attributeFilter: ['disabled'] })
}

/**
 * Gives the focus back when a dialog closes and has not done so itself: to the button of the menu that the dialog was opened from, or to what
 * had it before. Where that is gone, as when an address opened the dialog, the page gets it. Otherwise a screen reader would say nothing, and
 * the keyboard would begin at the top of the window.
 */
export function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    // added once, however many dialogs a page has
    document.addEventListener('focusin', noteFocus)
  }, [])
  // while it is rendered: its first field has the focus before any effect runs
  const [{ isOpen, before }, note] = useState<Place>({ isOpen: false, before: null })
  if (isOpen !== opened) note({ isOpen: opened, before: opened ? last : before })
  useLayoutEffect(() => {
    if (!opened) return undefined
    const button = document.getElementById(menuButtonId)
    return () => {
      // a field of the dialog, until it has faded away
      const atClose = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        if (now !== document.body && now !== atClose) return
        const page = document.querySelector<HTMLElement>('main')
        for (const place of [button, before, page]) {
          place?.focus({ preventScroll: true })
          if (document.activeElement === place) break
        }
        if (before?.matches(':disabled') === true) focusOnceUsable(before, page)
      }, afterDialogMs)
    }
  }, [opened, before])
}
