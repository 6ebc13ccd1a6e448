/** Of the names in all lists of a page. More than any page for people needs, and few enough to be written in a moment. */
const maxCharacters = 512 * 1024

/**
 * What a page calls the products of its document. Each remediation and each score may name hundreds of them: once the page has names enough, lists
 * count the rest, which the document names. Otherwise a document of a few megabytes would be a page of a hundred.
 */
export class NamedProducts {
  readonly #names: ReadonlyMap<string, string>
  #left = maxCharacters

  constructor(names: ReadonlyMap<string, string>) {
    this.#names = names
  }

  /** `Pump 1.0, Pump 2.0`; empty where there are none. */
  list(ids: readonly string[]): string {
    const named: string[] = []
    for (const id of ids) {
      const name = this.#names.get(id) ?? id
      if (name.length > this.#left) break
      this.#left -= name.length
      named.push(name)
    }
    const rest = ids.length - named.length
    if (rest === 0) return named.join(', ')
    if (named.length > 0) return `${named.join(', ')} and ${rest} more, named in the document`
    return `${rest} ${rest === 1 ? 'product' : 'products'}, named in the document`
  }
}
