import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { returnPath } from './area.ts'
import { pages } from '../areas.ts'

/** Where to go after signing in: the requested page, else the first one. Addresses outside the application are ignored. */
export function useGoOn(): (next: string | undefined) => void {
  const router = useRouter()
  return useCallback(
    (next) => {
      const path = returnPath(next)
      if (path === undefined) void router.navigate({ ...pages.home(), replace: true })
      else router.history.replace(`${router.basepath}${path}`)
    },
    [router],
  )
}
