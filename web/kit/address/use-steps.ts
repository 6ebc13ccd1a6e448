import { useNavigate, type LinkOptions } from '@tanstack/react-router'
import { filterStep } from './filter-step.ts'

type Steps<Search> = {
  linkTo: (next: Search) => LinkOptions
  show: (next: Search) => void
}

/** From what the address of a page asks for to something else on the page: another filter or order, or what is open beside the list. */
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
