import { useEffect, useRef, type RefObject } from 'react'

/** Whether the sender is still mounted when the answer arrives: its dialog may have been closed. */
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
