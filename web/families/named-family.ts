import type { FamilyRow } from '#contract/products/shapes.ts'

/** What renaming, archiving and deleting need to know of a family, whichever page they are offered on. */
export type NamedFamily = Pick<FamilyRow, 'id' | 'name' | 'archivedAt'>
