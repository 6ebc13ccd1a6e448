import type { AdvisoryContent } from '#contract/advisories/shapes.ts'
import { createContext, useContext } from 'react'

/** Problems of the draft by field path. */
export const FieldProblems = createContext<ReadonlyMap<string, string>>(new Map())

/** The problem to show beside a field. */
export function useProblem(field: string): string | undefined {
  return useContext(FieldProblems).get(field)
}

/** Those of the draft, for the words of problems. */
export const DraftedVulnerabilities = createContext<AdvisoryContent['vulnerabilities']>([])

/** The open vulnerability; a large draft has a hundred of them. */
export const OpenVulnerability = createContext<{
  open: number | null
  setOpen: (index: number | null) => void
}>({ open: null, setOpen: () => undefined })

/** The id of a field's control, which links in the list of problems point to. */
export function fieldId(field: string): string {
  return `advisory-${field.replaceAll('.', '-')}`
}

/** Puts the focus on the first control of what has just been added: it is above the button that added it, where a keyboard would have to go back. */
export function focusAdded(selector: string): void {
  // once it is rendered
  requestAnimationFrame(() => {
    const added = document.querySelector(selector)
    added?.querySelector<HTMLElement>('input:not([type=hidden]), select, textarea')?.focus()
  })
}

/** The list with one entry replaced. */
export function withEntry<T>(list: readonly T[], index: number, entry: T): T[] {
  return list.map((one, place) => (place === index ? entry : one))
}

export function withoutEntry<T>(list: readonly T[], index: number): T[] {
  return list.filter((_one, place) => place !== index)
}
