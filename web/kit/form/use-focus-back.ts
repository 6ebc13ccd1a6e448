import { useLayoutEffect } from 'react'

/** After the dialog itself has tried to give the focus back, which it does 10 ms after it closed. */
const afterDialogMs = 30

/** The id of the button whose menu had the focus last, while nothing else has got it: an item takes it along when its menu goes. */
let menuButtonId = ''

function noteMenu({ target }: FocusEvent): void {
  const menu = target instanceof Element ? target.closest('[role="menu"]') : null
  menuButtonId = menu?.getAttribute('aria-labelledby') ?? ''
}

/**
 * Gives the focus back when a dialog closes and what had it before is gone: to the button of the menu that the dialog was opened from, or to the
 * page, as where its address opened it. A reader would hear nothing, and a keyboard would begin at the top of the window.
 */
export function useFocusBack(opened: boolean): void {
  useLayoutEffect(() => {
    // added once, however many dialogs a page has
    document.addEventListener('focusin', noteMenu)
  }, [])
  useLayoutEffect(() => {
    if (!opened) return undefined
    const button = document.getElementById(menuButtonId)
    return () => {
      // a field of the dialog, until it has faded away
      const atClose = document.activeElement
      setTimeout(() => {
        const now = document.activeElement
        if (now !== document.body && now !== atClose) return
        const place = button ?? document.querySelector<HTMLElement>('main')
        place?.focus({ preventScroll: true })
      }, afterDialogMs)
    }
  }, [opened])
}
