/** Generators that make CPEs up from package names, as they are called among the tools of a document. */
const guessers = ['syft', 'grype', 'anchore', 'scalibr', 'cve-bin-tool']

/**
 * Whether the CPEs of a document are the guesses of a tool rather than the word of its author: nobody looked the product up, so a
 * match by them starts no legal clock.
 */
export function areCpesGuessed(tools: readonly string[]): boolean {
  return tools.some((tool) => {
    const name = tool.toLowerCase()
    return guessers.some((guesser) => name.includes(guesser))
  })
}
