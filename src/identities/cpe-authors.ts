/**
 * Generators that make up CPEs from package names, by their names among the tools of a document, lower case. Their CPEs are
 * guesses, not an author's statement: nobody looked the product up, so a match by them starts no legal clock.
 */
export const cpeGuessers: readonly string[] = ['syft', 'grype', 'anchore', 'scalibr', 'cve-bin-tool']
