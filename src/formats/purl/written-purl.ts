const scheme = /^pkg:\/*/i
const parts = /^(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<subpath>.*))?$/s

/** What no URI may contain in one of its parts (RFC 3986). */
const foreignToUris = /[^\w.~!$&'()*+,;=:@/?%-]/gu

/**
 * A package URL that was read, as it is written for others: with its scheme in lower case, the characters of a URI, an escaped `@` of a scope and qualifiers that have a
 * value. Many readers know no other spelling (ECMA-427), and refuse the whole document for one purl.
 */
export function writtenPurl(text: string): string {
  const { path = '', query = '', subpath = '' } = parts.exec(text.trim())?.groups ?? {}
  const qualifiers = query.split('&').filter((pair) => /^[^=]+=./s.test(pair))
  return [
    inUri(path.replace(scheme, 'pkg:').replaceAll('/@', '/%40')),
    ...(qualifiers.length === 0 ? [] : ['?', inUri(qualifiers.join('&'))]),
    ...(subpath === '' ? [] : ['#', inUri(subpath)]),
  ].join('')
}

function inUri(text: string): string {
  return text.replace(foreignToUris, (character) => encodeURIComponent(character.toWellFormed()))
}
