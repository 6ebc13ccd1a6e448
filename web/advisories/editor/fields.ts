import { createContext, useContext } from 'react'

/** What is wrong with each field of the draft, by its path. */
export const FieldProblems = createContext<ReadonlyMap<string, string>>(new Map())

/** What is wrong with a field, to be shown beside it. */
export function useProblem(field: string): string | undefined {
  return useContext(FieldProblems).get(field)
}

/** Which vulnerability is open; a large draft has a hundred of them. */
export const OpenVulnerability = createContext<{
  open: number | null
  setOpen: (index: number | null) => void
}>({ open: null, setOpen: () => undefined })

/** The id of the control of a field, which a problem in the list leads to. */
export function fieldId(field: string): string {
  return `advisory-${field.replaceAll('.', '-')}`
}

/** The list with one entry put in place of another. */
export function withEntry<T>(list: readonly T[], index: number, entry: T): T[] {
  return list.map((one, place) => (place === index ? entry : one))
}

export function withoutEntry<T>(list: readonly T[], index: number): T[] {
  return list.filter((_one, place) => place !== index)
}
