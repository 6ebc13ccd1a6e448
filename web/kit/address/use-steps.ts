import { useNavigate, useRouter, useRouterState, type LinkOptions } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { filterStep, opensBeside } from './filter-step.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The entry before this one is the same page without what is open beside its list. */
    closesByBack?: boolean
  }
}

type Steps<Search> = {
  linkTo: (next: Search) => LinkOptions
  show: (next: Search) => void
}

/** Navigates within a page: to another filter or order, or to something open beside the list. */
export function useSteps<Search extends Readonly<Record<string, unknown>>>(
  known: NoInfer<Search>,
  pageOf: (next: Search) => LinkOptions,
): Steps<Search> {
  const navigate = useNavigate()
  const { history } = useRouter()
  const { search, state, key } = useRouterState({
    select: ({ location }) => ({
      search: location.search,
      state: location.state.closesByBack === true,
      key: location.state.__TSR_key,
    }),
    structuralSharing: true,
  })
  const isOpen = opensBeside(search)
  /** Until the browser has gone back, another Escape must not go back further. */
  const goesBack = useRef(false)
  useEffect(() => {
    goesBack.current = false
  }, [key])

  function linkTo(next: Search): LinkOptions {
    const step = filterStep(known, next)
    // Back closes what was opened, and opening another one is no further step.
    const opens = step.replace && opensBeside(next)
    const replace = step.replace && (isOpen || !opens)
    const closesByBack = opens && (!isOpen || state)
    return { ...pageOf(next), ...step, replace, ...(closesByBack ? { state: { closesByBack } } : {}) }
  }
  function show(next: Search): void {
    if (state && isOpen && !opensBeside(next) && filterStep(known, next).replace) {
      if (goesBack.current) return
      goesBack.current = true
      history.back()
    } else void navigate(linkTo(next))
  }
  return { linkTo, show }
}
