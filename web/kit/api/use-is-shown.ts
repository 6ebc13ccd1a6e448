import { useEffect, useRef, type RefObject } from 'react'

/** Whether what sent something is still there when the answer comes: a dialog may have been left meanwhile. */
export function useIsShown(): Readonly<RefObject<boolean>> {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
