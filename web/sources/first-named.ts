const maxNamed = 4

/** Of the sources that a sentence is about those that it names, and in words how many it only counts. */
export function firstNamed<Source>(sources: readonly Source[]): { named: Source[]; more: string } {
  const more = sources.length - maxNamed
  return { named: sources.slice(0, maxNamed), more: more > 0 ? ` and ${more} more` : '' }
}
