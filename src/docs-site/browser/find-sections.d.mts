/** A part of a page that can be found: what is below one heading. */
export type Section = { path: string; page: string; title: string; text: string }

export type FoundSection = { path: string; page: string; title: string; excerpt: string }

/** A section with its words in lower case. */
export type IndexedSection = { section: Section; page: string; title: string; text: string }

export function indexSections(sections: readonly Section[]): IndexedSection[]
export function findSections(index: readonly IndexedSection[], query: string): FoundSection[]
