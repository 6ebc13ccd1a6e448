/**
 * Generators that make CPEs up from package names, as they are called among the tools of a document, lower case. Their CPEs are
 * guesses rather than the word of an author: nobody looked the product up, so a match by them starts no legal clock.
 */
export const cpeGuessers: readonly string[] = ['syft', 'grype', 'anchore', 'scalibr', 'cve-bin-tool']
