import type { ShownDecidability } from '../identity.ts'

export const componentSorts = ['name', '-name', 'findings'] as const

export type ComponentSort = (typeof componentSorts)[number]

export type ComponentRow = {
  number: number
  type: string | null
  group: string | null
  name: string
  version: string | null
  purl: string | null
  cpe: string | null
  licence: string | null
  supplier: string | null
  decidability: ShownDecidability
  /** Why the component could not be decided. */
  reason: string | null
  /** Open ones that are not declared not affected or fixed. */
  findings: number
}
