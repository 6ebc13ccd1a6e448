const scheme = /^pkg:\/*/i
const parts = /^(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<subpath>.*))?$/s

/** What no URI may contain in one of its parts (RFC 3986). */
const foreignToUris = /[^\w.~!$&'()*+,;=:@/?%-]/gu

/**
 * A package URL that was read, as it is written for others: with its scheme in lower case, the characters of a URI, an escaped `@` of a scope and
 * each qualifier once. Many readers know no other spelling (ECMA-427), and refuse the whole document for one purl.
 */
export function writtenPurl(text: string): string {
  const { path = '', query = '', subpath = '' } = parts.exec(text.trim())?.groups ?? {}
  const qualifiers = statedQualifiers(query)
  return [
    inUri(path.replace(scheme, 'pkg:').replaceAll('/@', '/%40')),
    ...(qualifiers === '' ? [] : ['?', inUri(qualifiers)]),
    ...(subpath === '' ? [] : ['#', inUri(subpath)]),
  ].join('')
}

/** Those with a value, of repeated keys the first. */
function statedQualifiers(query: string): string {
  const stated = new Map<string, string>()
  for (const pair of query.split('&')) {
    const [, key = ''] = /^([^=]+)=./s.exec(pair) ?? []
    if (key !== '' && !stated.has(key.toLowerCase())) stated.set(key.toLowerCase(), pair)
  }
  return [...stated.values()].join('&')
}

function inUri(text: string): string {
  return text.replace(foreignToUris, (character) => encodeURIComponent(character.toWellFormed()))
}
