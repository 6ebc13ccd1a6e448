import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { returnPath } from './paths.ts'
import { pages } from '../paths.ts'

/** Where to go once signed in: the page that was asked for, else the first one. What leads out of the application is not followed. */
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
