/**
 * Puts the focus on the first field of a dialog, and again when what had it makes way for something else, as a form does for the secret it asked
 * for. Otherwise a screen reader would say nothing, and the keyboard would begin at the top of the page. A ref for the dialog's body.
 */
export function keepFocusWithin(body: HTMLElement | null): (() => void) | undefined {
  if (body === null) return undefined
  markFirstField(body)
  let last: EventTarget | null = null
  const note = ({ target }: FocusEvent) => {
    last = target
  }
  const watching = new MutationObserver(() => {
    if (document.activeElement !== document.body || !(last instanceof Node) || last.isConnected) return
    markFirstField(body)
    body.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  })
  body.addEventListener('focusin', note)
  watching.observe(body, { childList: true, subtree: true })
  return () => {
    body.removeEventListener('focusin', note)
    watching.disconnect()
  }
}

/**
 * A button in a dialog or drawer that could not be used while it waited for its answer has the focus again: otherwise whoever is told the answer would be
 * nowhere. A ref for the content.
 */
export function giveFocusBack(content: HTMLElement | null): (() => void) | undefined {
  if (content === null) return undefined
  let last: EventTarget | null = null
  const note = ({ target }: FocusEvent) => {
    last = target
  }
  const watching = new MutationObserver((changes) => {
    if (document.activeElement !== document.body || !(last instanceof HTMLElement)) return
    if (changes.some(({ target }) => target === last)) last.focus({ preventScroll: true })
  })
  content.addEventListener('focusin', note)
  watching.observe(content, { subtree: true, attributeFilter: ['disabled'] })
  return () => {
    content.removeEventListener('focusin', note)
    watching.disconnect()
  }
}

/** Where a form names no field to begin with, the first one: not the button that closes the dialog. A list would open and cover the form. */
function markFirstField(body: HTMLElement): void {
  if (body.querySelector('[data-autofocus]') !== null) return
  const first = body.querySelector(
    ':is(input, select, textarea):not(:disabled, [type="hidden"], [type="file"])',
  )
  if (first?.ariaHasPopup === 'listbox') return
  first?.setAttribute('data-autofocus', 'true')
}
