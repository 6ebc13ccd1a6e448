/**
 * Where what had the focus on a page goes away, as the button of an act does once it is done, the focus stays where it was: on the nearest part
 * of the page that is left. A reader would hear nothing of what is there instead. A button that could not be used while it waited for its answer
 * has the focus again. Dialogs do this for themselves. Returns how to end it.
 */
export function keepFocusNear(main: HTMLElement): () => void {
  /** What had the focus last, and the parts of the page that it is in, the nearest first. */
  let last: HTMLElement[] = []
  const note = ({ target }: FocusEvent) => {
    last = target instanceof HTMLElement && main.contains(target) ? wayUp(target, main) : []
  }
  const watching = new MutationObserver((changes) => {
    const [own] = last
    if (own === undefined || document.activeElement !== document.body) return
    const at = last.findIndex(({ isConnected }) => isConnected)
    const place = last[at]
    if (place !== undefined && at > 0)
      focusPart(place === main ? (besideGone(last[at - 1], changes) ?? main) : place)
    else if (changes.some(({ type, target }) => type === 'attributes' && target === own))
      own.focus({ preventScroll: true })
  })
  document.addEventListener('focusin', note)
  watching.observe(main, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    document.removeEventListener('focusin', note)
    watching.disconnect()
  }
}

/** The page as a whole says nothing of where on it something was: what follows there, or precedes it. */
function besideGone(
  gone: HTMLElement | undefined,
  changes: readonly MutationRecord[],
): HTMLElement | undefined {
  const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node === gone))
  return [change?.nextSibling, change?.previousSibling].find(
    (part): part is HTMLElement => part instanceof HTMLElement && part.getClientRects().length > 0,
  )
}

function wayUp(from: HTMLElement, to: HTMLElement): HTMLElement[] {
  const { parentElement } = from
  return from === to || parentElement === null ? [from] : [from, ...wayUp(parentElement, to)]
}

/** A part of a page takes the focus for as long as it has it. Whoever uses a keyboard sees where that is. */
function focusPart(part: HTMLElement): void {
  if (!part.hasAttribute('tabindex')) {
    part.tabIndex = -1
    part.addEventListener(
      'blur',
      () => {
        part.removeAttribute('tabindex')
      },
      { once: true },
    )
  }
  part.focus({ preventScroll: true })
  const { top, bottom } = part.getBoundingClientRect()
  if (bottom < 0 || top > window.innerHeight) part.scrollIntoView({ block: 'nearest' })
}
