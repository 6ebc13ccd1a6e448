import type { FamilyRow } from '#contract/products/shapes.ts'

/** What renaming, archiving and deleting need to know of a family. */
export type NamedFamily = Pick<FamilyRow, 'id' | 'name' | 'archivedAt'>
