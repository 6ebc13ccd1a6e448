const scheme = /^pkg:\/*/i

/** What no URI may contain (RFC 3986), and a `#` behind the first. */
const foreignToUris = /[^\w.~!$&'()*+,;=:@/?#%-]|(?<=#.*)#/gu

/**
 * A package URL that was read, as it is written for others: with its scheme in lower case and the characters of a URI. Many readers know no other spelling (ECMA-427, "scheme"),
 * and refuse the whole document for one purl.
 */
export function writtenPurl(text: string): string {
  return text
    .trim()
    .replace(scheme, 'pkg:')
    .replace(foreignToUris, (character) => encodeURIComponent(character.toWellFormed()))
}
