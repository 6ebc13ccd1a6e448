import { useNavigate, type LinkOptions } from '@tanstack/react-router'
import { filterStep } from './filter-step.ts'

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
  const linkTo = (next: Search) => ({ ...pageOf(next), ...filterStep(known, next) })
  return {
    linkTo,
    show: (next) => {
      void navigate(linkTo(next))
    },
  }
}
