import type { FamilyRow } from '../../../src/contract/app.ts'

/** What acting on a family needs to know of it. */
export type NamedFamily = Pick<FamilyRow, 'id' | 'name' | 'archivedAt'>
