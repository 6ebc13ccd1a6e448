import type { DraftValue } from './report-drafts.ts'

/** Where what is the same in every report is kept: with the product families of the incident, or in the settings of the company. */
export type KeptWith = 'family' | 'company'

/** What is kept now for a field of a draft. A draft that says something else was begun before, or was changed by hand. */
export type KeptValue = { field: string; value: DraftValue; with: KeptWith; changedAt: string }
