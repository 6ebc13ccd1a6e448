/** A part of a page that can be found: what is below one heading. */
export type Section = { path: string; page: string; title: string; text: string }

export type FoundSection = { path: string; page: string; title: string; excerpt: string }

export function findSections(sections: readonly Section[], query: string): FoundSection[]
