import { useEffect, type RefObject } from 'react'

/** Readers begin with the first page of a document by themselves. */
let isFirst = true

/**
 * A page that replaces the whole of another one, as the workspace does after signing in, takes the focus, which was on what is gone: a reader
 * would say nothing. A field that takes it keeps it.
 */
export function useFocusOnArrival(main: Readonly<RefObject<HTMLElement | null>>): void {
  useEffect(() => {
    if (!isFirst && document.activeElement === document.body) main.current?.focus({ preventScroll: true })
    isFirst = false
  }, [main])
}
