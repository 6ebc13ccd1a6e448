import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'

/**
 * The fragment of this page's own address, which browsers never send. The address changes before the next page has loaded: until then this
 * page is still shown, and keeps what it was opened with.
 */
export function useFragment(): string {
  const { pathname, hash } = useLocation()
  const [own, setOwn] = useState({ pathname, hash })
  if (pathname === own.pathname && hash !== own.hash) setOwn({ pathname, hash })
  return pathname === own.pathname ? hash : own.hash
}
