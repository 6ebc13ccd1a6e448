import { purlKey } from '../../formats/purl/purl-key.ts'
import { parsePurl } from '../../formats/purl/purl.ts'

/** Under which key the targets of a document are found (`purlKey`). A document names the same packages again and again. */
export class PurlKeys {
  readonly #known = new Map<string, string | null>()

  of(text: string | undefined): string | null {
    if (text === undefined) return null
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const purl = parsePurl(text)
    const key = purl === undefined ? null : purlKey(purl)
    this.#known.set(text, key)
    return key
  }
}
