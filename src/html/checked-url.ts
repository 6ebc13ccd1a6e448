/** An address that may be the value of `href` or `src`. Only `checkedUrl` makes one. */
export class CheckedUrl {
  readonly #text: string

  constructor(text: string, checked: typeof permit) {
    if (checked !== permit) throw new Error('A CheckedUrl comes from checkedUrl().')
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

const permit = Symbol('checked')

/** What a link may open. Others, like `javascript:` and `data:`, run in the page that shows them. */
const schemes: ReadonlySet<string> = new Set(['https:', 'http:', 'mailto:'])

/** A path of this server, a query or a place on the page; `//host` and `/\host` would be other servers. */
const ownAddress = /^(?:\/(?![/\\])|[#?])[^\\]*$/

/** Browsers leave tabs and line ends out before they read an address. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}]/u

/** The address when it can be linked; undefined otherwise, so that the page shows it as text. */
export function checkedUrl(text: string): CheckedUrl | undefined {
  if (unseen.test(text)) return undefined
  if (ownAddress.test(text)) return new CheckedUrl(text, permit)
  const url = URL.parse(text)
  return url !== null && schemes.has(url.protocol) ? new CheckedUrl(url.href, permit) : undefined
}
